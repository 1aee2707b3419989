"""The Python package as it is installed from its wheel. Run by python.sh."""

import asyncio
import datetime
import decimal
import gc
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import dragoman

WORK = tempfile.mkdtemp()
SHOP = os.path.join(WORK, "shop.db")


def setUpModule():
    dragoman.sample(SHOP)


class Asking(unittest.TestCase):
    def test_a_file_is_asked_in_one_line(self):
        answer = dragoman.ask(SHOP, "how many customers are there?")
        self.assertEqual(answer.value, 2400)
        self.assertEqual(answer.rows, [(2400,)])
        self.assertIn("COUNT", answer.sql)
        self.assertEqual(answer.label, "sure")
        self.assertGreater(answer.confidence, 0.8)
        self.assertTrue(answer.text)
        self.assertEqual(len(answer), 1)

    def test_a_csv_file_is_read_by_duckdb(self):
        path = os.path.join(WORK, "people.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("city,people\nKiel,3\nBonn,4\n")
        self.assertEqual(dragoman.ask(path, "total people").value, 7)

    def test_errors_have_a_code_and_a_hint(self):
        with self.assertRaises(dragoman.DragomanError) as caught:
            dragoman.ask(os.path.join(WORK, "none.db"), "how many?")
        self.assertTrue(caught.exception.code)
        with self.assertRaises(dragoman.DragomanError):
            dragoman.Dragoman(SHOP, settings={"no.such": 1})

    def test_sql_only_reads(self):
        with dragoman.Dragoman(SHOP) as shop:
            self.assertEqual(shop.sql("SELECT 1 + 1 AS two").value, 2)
            with self.assertRaises(dragoman.DragomanError):
                shop.sql("DELETE FROM customers")
            self.assertIn("customers", shop.schema())
            self.assertTrue(shop.suggestions())

    def test_a_conversation_keeps_its_context(self):
        with dragoman.Dragoman(SHOP) as shop:
            talk = shop.conversation()
            months = talk.ask("revenue by month")
            fewer = talk.ask("only 2024")
            self.assertLess(len(fewer), len(months))
            self.assertIn("2024", fewer.sql)

    def test_after_it_is_closed_answers_stay_and_questions_fail(self):
        shop = dragoman.Dragoman(SHOP)
        answer = shop.ask("how many customers are there?")
        shop.close()
        shop.close()
        self.assertEqual(answer.value, 2400)
        with self.assertRaises(dragoman.DragomanError):
            shop.ask("how many customers are there?")


class AskingBack(unittest.TestCase):
    question = "how many banned customers are there?"

    def test_a_question_back_is_raised_and_answered(self):
        with self.assertRaises(dragoman.Clarification) as caught:
            dragoman.ask(SHOP, self.question)
        back = caught.exception
        self.assertIn("banned", back.question)
        self.assertGreater(len(back.options), 1)
        self.assertIn("1. ", str(back))
        leave = next(option for option in back.options if "out" in option.label.lower() or "without" in option.label.lower())
        self.assertEqual(back.answer(leave).rows, [(2400,)])

    def test_a_callback_chooses(self):
        seen = []

        def choose(back):
            seen.append(back.question)
            return next(option for option in back.options if "out" in option.label.lower() or "without" in option.label.lower())

        with dragoman.Dragoman(SHOP) as shop:
            self.assertEqual(shop.ask(self.question, on_clarification=choose).value, 2400)
            self.assertEqual(len(seen), 1)
            with self.assertRaises(dragoman.Clarification):
                shop.ask(self.question, on_clarification=lambda back: None, fresh=True)


class Values(unittest.TestCase):
    def test_cells_have_the_types_of_python(self):
        path = os.path.join(WORK, "values.db")
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE t (i INTEGER, r REAL, s TEXT, d DATE, w TIMESTAMP, b BLOB, e TEXT)")
            database.execute("INSERT INTO t VALUES (1, 0.5, 'é\U0001f600', '2024-02-29', '2024-02-29 10:20:30', x'00ff', NULL)")
            database.execute("INSERT INTO t VALUES (NULL, NULL, NULL, NULL, NULL, NULL, NULL)")
        database.close()
        with dragoman.Dragoman(path) as client:
            answer = client.sql("SELECT * FROM t")
        self.assertEqual(
            answer.rows[0],
            (1, 0.5, "é\U0001f600", datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 10, 20, 30), b"\x00\xff", None),
        )
        self.assertEqual(answer.rows[1], (None,) * 7)
        self.assertEqual(answer.columns, list("irsdwbe"))

    def test_decimals_are_exact(self):
        path = os.path.join(WORK, "money.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("x\n1\n")
        with dragoman.Dragoman(path) as client:
            answer = client.sql("SELECT CAST('12345678901234567890.25' AS DECIMAL(30, 2)) AS a, CAST('-0.01' AS DECIMAL(4, 2)) AS b")
        self.assertEqual(answer.rows, [(decimal.Decimal("12345678901234567890.25"), decimal.Decimal("-0.01"))])

    def test_an_empty_result_has_its_columns(self):
        with dragoman.Dragoman(SHOP) as shop:
            answer = shop.sql("SELECT id, email FROM customers WHERE id < 0")
        self.assertEqual((answer.rows, answer.columns, len(answer)), ([], ["id", "email"], 0))


class Frames(unittest.TestCase):
    def test_pandas_frames_are_made_and_asked(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = dragoman.ask(SHOP, "revenue by month in 2025").to_pandas()
        self.assertEqual(len(frame), 12)
        self.assertEqual(str(frame.dtypes.iloc[1]), "float64")
        sold = pandas.DataFrame(
            {"city": ["Kiel", "Bonn", "Kiel"], "sold": [1, 2, None], "on": pandas.to_datetime(["2024-01-01"] * 3)}
        )
        self.assertEqual(dragoman.ask(sold, "total sold by city").rows, [("Bonn", 2.0), ("Kiel", 1.0)])
        with dragoman.Dragoman(sales=sold) as client:
            answer = client.sql('SELECT "on" FROM sales')
        self.assertEqual(answer.rows[0], (datetime.datetime(2024, 1, 1),))
        self.assertTrue(str(answer.to_pandas().dtypes.iloc[0]).startswith("datetime64"))

    def test_arrow_and_polars_where_they_are_installed(self):
        try:
            import pyarrow
        except ImportError:
            self.skipTest("pyarrow is not installed")
        answer = dragoman.ask(SHOP, "revenue by month in 2025")
        before = answer.rows
        batch = answer.to_arrow()
        self.assertEqual(batch.num_rows, 12)
        self.assertEqual([tuple(row.values()) for row in batch.to_pylist()], before)
        self.assertEqual(answer.rows, before)

    def test_any_frame_like_object(self):
        class Frame:
            columns = ["name", "n"]

            def iter_rows(self):
                return iter([("a'\"b", 1), ("c", None)])

        self.assertEqual(dragoman.ask({"things": Frame()}, "how many things are there?").value, 2)


class Stopping(unittest.TestCase):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    def test_a_timeout_stops_the_query(self):
        with dragoman.Dragoman(SHOP) as shop:
            with self.assertRaises((TimeoutError, dragoman.DragomanError)):
                shop.sql(self.endless, timeout=0.3)
            self.assertEqual(shop.sql("SELECT 1").value, 1)

    def test_asyncio_answers_many_and_cancels(self):
        async def work():
            with dragoman.Dragoman(SHOP) as shop:
                answers = await asyncio.gather(*(shop.ask_async("how many customers are there?") for _ in range(8)))
                self.assertEqual({answer.value for answer in answers}, {2400})
                slow = asyncio.ensure_future(shop.ask_async("how many orders are there?", fresh=True))
                await asyncio.sleep(0)
                slow.cancel()
                with self.assertRaises((asyncio.CancelledError, TimeoutError)):
                    await slow
                self.assertEqual(shop.ask("how many customers are there?").value, 2400)

        asyncio.run(work())

    def test_threads_share_one_client(self):
        with dragoman.Dragoman(SHOP) as shop:
            got = []
            threads = [threading.Thread(target=lambda: got.append(shop.ask("how many customers are there?").value)) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(got, [2400] * 6)

    def test_ctrl_c_stops_and_ends(self):
        code = f"import dragoman; print('on', flush=True); dragoman.Dragoman({SHOP!r}, settings={{'sql.timeout_s': 600}}).sql({self.endless!r})"
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        child.stdout.readline()
        time.sleep(0.3)
        child.send_signal(2)
        _, said = child.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", said)

    def test_nothing_stays_in_memory(self):
        def size():
            gc.collect()
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * 4096

        with dragoman.Dragoman(SHOP) as shop:
            for _ in range(30):
                len(shop.sql("SELECT * FROM orders").rows)
            before = size()
            for _ in range(60):
                len(shop.sql("SELECT * FROM orders").rows)
            self.assertLess(size() - before, 32 << 20)


if __name__ == "__main__":
    unittest.main(verbosity=1)

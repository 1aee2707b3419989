"""Checks of the question maker on a small scale: quick enough for every build."""

import random
import re
import sqlite3
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import families  # noqa: E402
import ir_words  # noqa: E402
import jobs  # noqa: E402
import make  # noqa: E402
import mentions  # noqa: E402
import own  # noqa: E402
import resolve  # noqa: E402
import schema as schema_module  # noqa: E402
import speech  # noqa: E402
import spider  # noqa: E402
import surface  # noqa: E402
import swap  # noqa: E402
import words  # noqa: E402
import written  # noqa: E402
from filters import spoken  # noqa: E402
from maker import Maker, Skip  # noqa: E402

EVERYDAY = {"shop", "hr", "crm", "finance", "logistics", "web_analytics"}


class OwnSchemas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name)
        cls.schemas = make.make_own(cls.path, 2)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.opened = {}

    def open(self, name: str) -> sqlite3.Connection:
        """Once per test: a connection for every question would be more files than a process may open."""
        if name not in self.opened:
            self.opened[name] = base = sqlite3.connect(self.path / name / f"{name}.sqlite")
            ir_words.register(base)
            self.addCleanup(base.close)
        return self.opened[name]

    def test_enough_of_them_and_none_of_the_everyday_ones(self):
        names = {name.removeprefix("own_").rsplit("_", 1)[0] for name in self.schemas}
        self.assertGreaterEqual(len(names), 16)
        self.assertFalse(names & EVERYDAY)
        self.assertTrue(all(name.startswith("own_") for name in self.schemas))

    def test_size_and_keys(self):
        for name, schema in self.schemas.items():
            if name.endswith("_0"):
                self.assertTrue(5 <= len(schema.tables) <= 12, name)
            self.assertTrue(schema.keys, name)
            self.assertEqual(self.open(name).execute("PRAGMA foreign_key_check").fetchall(), [], name)

    def test_rows_are_the_same_every_time(self):
        with tempfile.TemporaryDirectory() as other:
            again = make.make_own(Path(other), 1)
            name = next(iter(again))
            dumps = [list(sqlite3.connect(p / name / f"{name}.sqlite").iterdump()) for p in (self.path, Path(other))]
            self.assertEqual(*dumps)

    def test_written_questions_run_under_other_names_with_the_same_answer(self):
        questions = written.read(make.QUESTIONS)["everyday"]
        sisters = written.in_style(self.path, make.SCHEMAS, 1)
        moved = 0
        self.assertGreater(len(questions), 400)

        def answer(asked):  # the clock goes on between two queries
            return self.open(asked["db_id"]).execute(asked["query"].replace("'now'", "'2026-01-15'")).fetchall()

        for question in questions:
            rows = answer(question)
            other = written.move(question, self.schemas[question["db_id"]], sisters[question["db_id"]][0])
            if other:
                moved += 1
                self.assertEqual(answer(other), rows, question)
        self.assertGreater(moved, len(questions) * 0.8)

    def test_written_dialogues_run_and_remember_what_was_said(self):
        first, later = written.turns_of(written.read(make.QUESTIONS)["dialogues"])
        self.assertGreaterEqual(len(first), 200)
        self.assertTrue(all(1 <= len(turn["history"]) <= written.BEFORE for turn in later))
        sisters = written.in_style(self.path, make.SCHEMAS, 1)
        moved = written.moved_turns(later, self.schemas, sisters)
        self.assertGreater(len(moved), len(later) * 0.8)
        for turn in first + later + moved:
            self.open(turn["db_id"]).execute(turn["query"]).fetchone()
            for before in turn.get("history", []):
                self.open(turn["db_id"]).execute(before["query"]).fetchone()

    def test_every_family_writes_sql_that_runs(self):
        rng = random.Random(7)
        schemas = list(self.schemas.values())
        for family in families.load():
            written = 0
            for _ in range(600):
                maker = Maker(rng.choice(schemas), rng, 0.3)
                try:
                    question, query = family.write(maker)
                except Skip:
                    continue
                sql = query if isinstance(query, str) else query.sql()
                with self.subTest(family=family.name, sql=sql):
                    self.open(maker.schema.db_id).execute(sql).fetchone()
                    self.assertNotRegex(question.replace("<>", ""), r"[{}\[\]|<>](?![=\s\d])|\x00")
                written += 1
                if written == 6:
                    break
            self.assertGreaterEqual(written, 6, family.name)

    def test_every_family_has_many_wordings(self):
        rng = random.Random(3)
        schema = self.schemas["own_bookshop_0"]
        for family in families.load():
            shapes = set()
            for _ in range(300):
                try:
                    question, _ = family.write(Maker(schema, rng, 0.0))
                except Skip:
                    continue
                shapes.add(re.sub(r"[A-Z0-9][\w']*", "x", question))
            if shapes:
                self.assertGreaterEqual(len(shapes), 6, family.name)

    def test_subtypes_are_named_by_their_parent(self):
        schema = self.schemas["own_transit_0"]
        maker = Maker(schema, random.Random(1), 0.0)
        tables = {table.phrase: table for table in schema.tables}
        key = maker.above(tables["driver"])
        self.assertEqual(schema.columns[key.child].name, schema.columns[key.parent].name)
        self.assertIs(maker.parent(key), tables["employee"])
        self.assertIsNone(maker.above(tables["employee"]))
        with self.assertRaises(Skip):
            maker.shown_or_all(tables["driver"])
        base = self.open("own_transit_0")
        lost = "SELECT COUNT(*) FROM DRIVERS WHERE EMP_{0} NOT IN (SELECT EMP_{0} FROM EMPLOYEES)"
        ending = schema.columns[key.child].name.removeprefix("EMP_")
        driver, employee = tables["driver"].name, tables["employee"].name
        sql = lost.format(ending).replace("DRIVERS", driver).replace("EMPLOYEES", employee)
        self.assertEqual(base.execute(sql).fetchone()[0], 0)

    def test_split_variants_keep_their_keys(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, (style, text) in list(own.read_files(make.SCHEMAS).items())[:12]:
                schema = own.make(Path(folder), name, text, style, 5)
                base = sqlite3.connect(Path(folder) / schema.db_id / f"{schema.db_id}.sqlite")
                self.assertEqual(base.execute("PRAGMA foreign_key_check").fetchall(), [], name)
                base.close()

    def test_who_typed_it_in_is_no_rival(self):
        text = "rep 5\n  id pk\n  full_name person\ndeal 9\n  id pk\n  owner_id ref rep\n  created_by ref rep\n"
        schema, _ = own.build("audit", text, "snake", 0)
        self.assertEqual([schema.columns[k.child].name for k in schema.main_keys], ["owner_id"])

    def test_two_columns_never_get_one_name(self):
        schema, _ = own.build("spools", "spool 5\n  id pk\n  no int 1..9\n  number int 1..9\n", "short", 0)
        self.assertEqual([c.name for c in schema.tables[0].columns if c.name.startswith("no")], ["no", "no2"])

    def test_columns_that_are_the_key_together(self):
        text = "race 5\n  id pk\n  race_name pick A|B|C|D|E\nentry 60\n  race_id ref race\n  lane int 1..6\n  ! race_id, lane\n"
        with tempfile.TemporaryDirectory() as folder:
            for variant, keys in ((0, 2), (1, 2), (3, 0)):  # the last one declares no keys
                schema = own.make(Path(folder), "races", text, "camel", variant)
                base = sqlite3.connect(Path(folder) / schema.db_id / f"{schema.db_id}.sqlite")
                table = schema.tables[1]
                told = base.execute(f'PRAGMA table_info("{table.name}")').fetchall()
                self.assertEqual(sum(column[5] > 0 for column in told), keys)
                pairs = base.execute(f'SELECT "{table.columns[0].name}", "{table.columns[1].name}" FROM "{table.name}"').fetchall()
                self.assertEqual(len(pairs), len(set(pairs)))
                base.close()

    def test_things_named_by_a_column_called_like_them(self):
        text = "campus 5\n  id pk\n  campus_name pick A|B|C\n  city city\nroom 9\n  id pk\n  campus_id ref campus\n  seats int 1..9\n"
        found = set()
        for name in "abcdefgh":
            schema, _ = own.build(name, text, "snake", 3)
            table = schema.tables[0]
            maker = Maker(schema, random.Random(1), 0.0)
            column = maker.names(table)[0]
            found.add(column.words == table.words)
            if column.words == table.words:
                self.assertEqual(maker.shown(table).noun, "names")
        self.assertIn(True, found)

    def test_the_verb_chooses_among_links(self):
        schema = self.schemas["own_workshops_0"]
        write = next(f.write for f in families.load() if f.name == "by_verb")
        rng, seen = random.Random(5), 0
        for _ in range(300):
            try:
                question, query = write(Maker(schema, rng, 0.0))
            except Skip:
                continue
            sql = query if isinstance(query, str) else query.sql()
            if re.search(r"\bnever attended\b", question) and "but" not in question:
                self.assertIn("attendances", sql)
                self.assertNotIn("registrations", sql)
                seen += 1
        self.assertGreater(seen, 0)

    def test_numbers_below_zero_have_no_word(self):
        maker = Maker(self.schemas["own_workshops_0"], random.Random(1), 0.0)
        self.assertEqual({maker.number_word(-20) for _ in range(20)}, {"-20"})

    def test_round_numbers_as_people_type_them(self):
        maker = Maker(self.schemas["own_workshops_0"], random.Random(1), 0.0)
        said = {spoken(maker, "20000") for _ in range(80)}
        self.assertTrue({"20000", "20k", "20,000"} <= said)
        self.assertEqual({spoken(maker, "1234") for _ in range(40)}, {"1234"})
        self.assertTrue({"1.5m", "1.5 million"} <= {spoken(maker, "1500000") for _ in range(80)})

    def test_jobs_are_repeatable(self):
        jobs.READY = jobs.Ready(own=self.schemas)
        job = jobs.Job("own", 50, "1/own/0")
        self.assertEqual(jobs.run(job), jobs.run(job))
        self.assertNotEqual(jobs.run(job), jobs.run(jobs.Job("own", 50, "2/own/0")))


class PublicQuestions(unittest.TestCase):
    def setUp(self):
        entry = {
            "db_id": "zoo", "table_names_original": ["Animal", "Keeper"], "table_names": ["animal", "keeper"],
            "column_names_original": [
                [-1, "*"], [0, "id"], [0, "Name"], [0, "Species"], [0, "weight"], [0, "keeper_id"],
                [1, "id"], [1, "Name"], [1, "Town"],
            ],
            "column_names": [
                [-1, "*"], [0, "id"], [0, "name"], [0, "species"], [0, "weight"], [0, "keeper id"],
                [1, "id"], [1, "name"], [1, "town"],
            ],
            "column_types": ["text", "number", "text", "text", "number", "number", "number", "text", "text"],
            "primary_keys": [1, 6], "foreign_keys": [[5, 6]],
        }
        self.schema = spider.from_tables_json(entry, Path("/nowhere"))
        for column, values in (
            (3, ["bear", "lynx", "otter"]), (4, [12, 30, 400]), (8, ["Rome", "Oslo", "Lyon"]),
        ):
            self.schema.columns[column].values = values

    def test_held_out_by_hash(self):
        away = spider.held_out([f"db{i}" for i in range(139)])
        self.assertEqual(len(away), 20)
        self.assertEqual(away, spider.held_out([f"db{i}" for i in reversed(range(139))]))

    def test_resolves_aliases_and_nested_queries(self):
        sql = ("SELECT T1.Name FROM Animal AS T1 JOIN Keeper AS T2 ON T1.keeper_id = T2.id WHERE T2.Town = \"Rome\" "
               "AND weight > (SELECT avg(weight) FROM Animal) ORDER BY T1.weight LIMIT 3")
        found = resolve.resolve(sql, self.schema)
        self.assertEqual(sorted(set(found.columns.values())), [2, 4, 5, 6, 8])
        self.assertEqual(sorted(map(str, found.literals.values())), ["8", "limit"])
        with self.assertRaises(resolve.Unclear):
            resolve.resolve("SELECT nothing FROM Animal", self.schema)

    def test_value_swap_changes_both_sides(self):
        found = resolve.resolve("SELECT Name FROM Animal WHERE Species = 'bear'", self.schema)
        question, sql = swap.value_swap(
            random.Random(1), self.schema, "Names of animals of species bear?", found,
        )
        value = re.search(r"'(\w+)'", sql)[1]
        self.assertIn(value, ("lynx", "otter"))
        self.assertIn(value, question.lower())

    def test_value_swap_keeps_the_order_of_bounds(self):
        found = resolve.resolve("SELECT Name FROM Animal WHERE weight BETWEEN 12 AND 30", self.schema)
        for seed in range(40):
            pair = swap.value_swap(
                random.Random(seed), self.schema, "animals with weight between 12 and 30", found,
            )
            if pair:
                low, high = map(float, re.findall(r"\d+", pair[1]))
                self.assertLessEqual(low, high)

    def test_column_swap_changes_both_sides(self):
        found = resolve.resolve("SELECT Name FROM Animal WHERE Species = 'bear'", self.schema)
        pairs = [swap.column_swap(
            random.Random(s), self.schema, "Show the name of animals with species bear", found,
        ) for s in range(30)]
        for question, sql in filter(None, pairs):
            self.assertEqual("Name" in sql, "name" in question)

    def test_surface_keeps_values(self):
        for seed in range(60):
            text = surface.surface(
                random.Random(seed), "What are the names of keepers in Reykjavik?", ["Reykjavik"],
            )
            self.assertTrue(text is None or "reykjavik" in text.lower())


    def test_keys_nobody_asked_for(self):
        sql = "SELECT T2.name, count(*), T1.room FROM stay AS T1 JOIN room AS T2 ON T1.room = T2.id GROUP BY T1.room"
        self.assertTrue(jobs.has_unasked_key("Name and number of stays of each room", sql))
        self.assertFalse(jobs.has_unasked_key("Name, id and number of stays of each room", sql))
        self.assertFalse(jobs.has_unasked_key("Stays per room", sql.replace("T2.name, ", "")))

    def test_sorting_the_wrong_way(self):
        wrong = jobs.sorts_the_wrong_way
        self.assertTrue(wrong("the wine with the highest score", "SELECT n FROM w ORDER BY s LIMIT 1"))
        self.assertTrue(wrong("fewest people", "SELECT n FROM w GROUP BY n ORDER BY count(*) DESC LIMIT 1"))
        self.assertFalse(wrong("the highest score", "SELECT n FROM w ORDER BY s DESC LIMIT 1"))
        self.assertFalse(wrong("the most with at least 3", "SELECT n FROM w ORDER BY s LIMIT 1"))
        self.assertFalse(wrong("the oldest", "SELECT n FROM w ORDER BY born LIMIT 1"))

    def test_prefixed_first_and_last_names(self):
        for name, kind in (("staff first name", "first"), ("lname", "last"), ("company name", "name")):
            column = schema_module.Column(1, 0, "x", name.split(), "text")
            self.assertEqual(schema_module.guess_kind(column, None), kind)


class Wording(unittest.TestCase):
    def test_short_forms_spare_values(self):
        rng = random.Random(4)
        texts = {speech.shortened(rng, "number of people with the account Average Joe", {"average", "joe"}) for _ in range(60)}
        self.assertTrue(any("ppl" in text for text in texts))
        self.assertTrue(all("Average Joe" in text for text in texts))

    def test_padding_fits_the_query(self):
        rng = random.Random(2)
        for sql in ("SELECT COUNT(*) FROM a", "SELECT b FROM a ORDER BY c LIMIT 1", "SELECT b, COUNT(*) FROM a GROUP BY b"):
            for _ in range(60):
                text = speech.padded(rng, "the question", sql)
                self.assertRegex(text, r"^the question \w[\w ]+$")
                self.assertFalse("GROUP" in sql and ("in total" in text or "of all time" in text))

    def test_plurals(self):
        for one, many in (
            ("city", "cities"), ("person", "people"), ("box", "boxes"), ("day", "days"),
            ("status", "statuses"), ("branch", "branches"),
        ):
            self.assertEqual(words.plural(one), many)
            self.assertEqual(words.singular(many), one)
            self.assertEqual(words.plural(many), many)

    def test_expand_takes_one_of_each(self):
        rng = random.Random(1)
        seen = {speech.expand(rng, "[a|b [c|d]]") for _ in range(50)}
        self.assertEqual(seen, {"a", "b c", "b d"})

    def test_typo_spares_values_and_months(self):
        rng = random.Random(1)
        for _ in range(50):
            self.assertIn(
                "Lisbon in march", speech.with_typo(rng, "customers from Lisbon in march", {"lisbon"}),
            )

    def test_put_refuses_overlaps(self):
        span = mentions.Span
        self.assertIsNone(mentions.put("abcdef", [(span(0, 3), "x"), (span(2, 4), "y")]))
        self.assertEqual(mentions.put("abcdef", [(span(0, 1), "x"), (span(2, 4), "y")]), "xbyef")

    def test_schema_file_mistakes_are_loud(self):
        with self.assertRaises(KeyError):
            own.build("bad", "a 3\n  id pk\n  = nothing * 2 ~ n: x\n", "snake", 0)


if __name__ == "__main__":
    unittest.main()

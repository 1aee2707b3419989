// What an answer assumed: the words that change it, and what is taught when it is right.
import { describe, expect, it } from "vitest";
import type { Answer } from "../src/api/types";
import { correctionOf, lessonOf } from "../src/logic/assumed";
import { en } from "../src/text/en";

const said = (assumption: string): string => {
  const { kind, about } = correctionOf(assumption);
  return en.assumed.say[kind](about);
};

describe("an assumption", () => {
  it("is corrected by a follow-up that fits it", () => {
    expect(said("Cancelled orders are left out.")).toBe("Include cancelled orders");
    expect(said("EU customers were excluded.")).toBe("Include EU customers");
    expect(said("Excluding test accounts.")).toBe("Include test accounts");
    expect(said("No word asks for the condition: status = 'inactive'.")).toBe("Without the condition status = 'inactive'");
    expect(said("'banned' was taken to mean: status = 'inactive'.")).toBe("By “banned” I mean ");
    expect(said("revenue is quantity × unit_price less the discount.")).toBe("By “revenue” I mean ");
    expect(said("The country is that of the customer.")).toBe("By “the country” I mean ");
    expect(said("No key is declared for books.author_id = authors.id; the names and values fit.")).toBe(
      "Do not join on books.author_id = authors.id, but on ",
    );
  });

  it("is said again where its form is not known", () => {
    expect(said("Ordered by date")).toBe("Instead of “Ordered by date”: ");
    expect(said("")).toBe("Instead of “”: ");
  });

  it("of other words leads back to the question", () => {
    expect(correctionOf("As you chose, this answers: how many users are there?").kind).toBe("question");
  });

  it("is taught as the question with its SQL", () => {
    const answer: Answer = { query_id: "q", status: "finished", state: "FINISHED", question: "and per year?", rewritten_query: "orders per year", sql: "SELECT 1", datasource: "shop" };
    expect(lessonOf(answer)).toEqual({ question: "orders per year", sql: "SELECT 1", datasource: "shop" });
    const { sql: _sql, ...without } = answer;
    expect(lessonOf(without)).toBeUndefined();
  });
});

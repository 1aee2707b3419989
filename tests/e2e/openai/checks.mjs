// What the tests of the clients share.
let checks = 0;
let failures = 0;

export function check(what, ok, detail) {
  checks++;
  if (!ok) {
    failures++;
    console.log(`FAILED ${what}: ${JSON.stringify(detail)?.slice(0, 500)}`);
  }
}

/** The error that the call fails with; undefined if it does not. */
export async function failure(call) {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Until the condition holds, for at most a minute. */
export async function until(condition) {
  for (let i = 0; i < 1200; i++) {
    if (await condition()) {
      return true;
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}

export async function atWork() {
  const headers = { Authorization: `Bearer ${process.env.OPENAI_API_KEY}` };
  const text = await (await fetch(process.env.OPENAI_BASE_URL.replace("/v1", "/metrics"), { headers })).text();
  return Number(/^dragoman_questions_at_work (\d+)/m.exec(text)[1]);
}

export function finish(name) {
  console.log(`${name}: ${checks} checks, ${failures} failed`);
  process.exit(failures ? 1 : 0);
}

export const question = "How many customers are there?";
export const asksBack = "What makes a customer the best?\n\n1. Most money\n2. Most orders\n";

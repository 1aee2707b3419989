// A real browser signs in and out on the page; the issuer is another site for it.
import { existsSync } from 'node:fs';

const library = new URL('../../../web/node_modules/playwright-core/index.mjs', import.meta.url);
const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(path => existsSync(path));

// Where there is a browser, and the page was built. Returns false where not.
export async function inBrowser(address, check) {
    const page = await fetch(address);
    if (process.env.OIDC_BROWSER === 'no' || !program || !existsSync(library) || page.status !== 200) {
        return false;
    }
    const { chromium } = await import(library.href);
    const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
    try {
        await signInAndOut(await (await browser.newContext()).newPage(), address, check);
    } finally {
        await browser.close();
    }
    return true;
}

async function signInAndOut(page, address, check) {
    const complaints = [];
    page.setDefaultTimeout(60000);
    page.on('pageerror', error => complaints.push(error.message));
    page.on('console', message => {
        if (/Content Security Policy|Refused to/.test(message.text()) && message.location().url.startsWith(address)) {
            complaints.push(message.text());
        }
    });
    await page.goto(`${address}/?sign-in=failed`);
    await page.getByText('Signing in did not work').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.locator('input[name=login]').fill('ann');
    await page.locator('input[name=password]').fill('x');
    await page.locator('button[type=submit]').click();
    await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
    await page.locator('button[type=submit]').click();
    await page.waitForURL(`${address}/`);
    await page.goto(`${address}/#/settings`);
    await page.getByText('Signed in as ann.').waitFor();
    check('a script sees no cookie', (await page.evaluate('document.cookie')) === '');
    const cookies = await page.context().cookies(address);
    const session = cookies.find(cookie => cookie.name === 'dgm_session');
    check('the browser keeps the session as it was told', session?.httpOnly && session?.sameSite === 'Strict', JSON.stringify(session));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('button[name=logout][value=yes]').click(); // at the issuer, which leads back
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    check('the person is back on the page', page.url().startsWith(address), page.url());
    check('the page itself has no complaints', complaints.length === 0, complaints.join('\n'));
}

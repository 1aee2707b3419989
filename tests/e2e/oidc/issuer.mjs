// An issuer of tokens: oidc-provider, with a client for the page and one for a program.
import Provider from 'oidc-provider';
import { exportJWK, generateKeyPair } from 'jose';

console.warn = console.info = () => {}; // what it has to say about its use in production

export const AUDIENCE = 'https://dragoman.example';
export const SECRET = 'a secret with +/: and %';

// What the issuer knows of its accounts. Whoever is not here has no role.
export const people = {
    ann: { region: 'EU', roles: ['sales'] },
    bob: { region: "EU' OR '1'='1", roles: ['sales'] },
    cy: { roles: ['sales'] },
    dan: { roles: [] },
    ivy: { region: 'EU', roles: ['sales'] },
    kim: { region: 'EU', roles: ['sales'] },
    robot: { region: 'US', roles: ['sales'] },
};

export async function newKey(alg, kid) {
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}

const claimsOf = id => ({ region: people[id]?.region, roles: people[id]?.roles });

// Starts it; the returned function ends it.
export async function startIssuer(url, callback, keys, asked) {
    const provider = new Provider(url, {
        clients: [
            { client_id: 'page', client_secret: SECRET, redirect_uris: [callback], grant_types: ['authorization_code'],
                response_types: ['code'], id_token_signed_response_alg: 'ES256',
                post_logout_redirect_uris: [new URL('/', callback).href], backchannel_logout_session_required: true,
                backchannel_logout_uri: new URL('/auth/back-channel-logout', callback).href },
            { client_id: 'robot', client_secret: SECRET, redirect_uris: [], grant_types: ['client_credentials'], response_types: [] },
        ],
        jwks: { keys },
        pkce: { required: () => true, methods: ['S256'] },
        cookies: { keys: ['for tests'] },
        conformIdTokenClaims: false,
        claims: { openid: ['sub', 'region', 'roles'] },
        findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...claimsOf(id) }) }),
        extraTokenClaims: (_, token) => claimsOf(token.accountId ?? token.clientId),
        features: {
            backchannelLogout: { enabled: true },
            clientCredentials: { enabled: true },
            devInteractions: { enabled: true },
            resourceIndicators: {
                enabled: true,
                defaultResource: (_, client) => (client.clientId === 'robot' ? AUDIENCE : undefined),
                getResourceServerInfo: () => ({ scope: 'dragoman:read dragoman:ask', audience: AUDIENCE, accessTokenFormat: 'jwt',
                    jwt: { sign: { alg: 'RS256' } } }),
            },
        },
    });
    provider.use((context, next) => {
        asked.push(context.path);
        return next();
    });
    const server = await new Promise(resolve => {
        const listening = provider.listen(new URL(url).port, '127.0.0.1', () => resolve(listening));
    });
    return () => new Promise(resolve => {
        server.close(resolve);
        server.closeAllConnections();
    });
}

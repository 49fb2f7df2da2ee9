import { defineIssues } from '../../../base/issue.ts'

interface Failure {
  readonly url: string
  readonly doing?: 'fetch from' | 'push to' | undefined
  readonly why: string
}

/** Hints for error messages of git and ssh. */
const advice: readonly (readonly [words: RegExp, advice: string])[] = [
  [
    /Host key verification failed|host key is known/,
    "Run 'ssh-keyscan HOST' to print the host key, verify it with the owner of the host, and add it to known_hosts of the server's user or to the file that known_hosts names.",
  ],
  [
    /Permission denied|publickey/,
    'The host rejected the SSH key. Set private_key, and add the public key to the repository on the host.',
  ],
  [
    /could not read (?:Username|Password)|Authentication failed|error: 40[13]|terminal prompts disabled/,
    'The host requires a token. Set oauth_token to a file with a token that can read the repository.',
  ],
  [/certificate|SSL/i, 'If a private CA issued the certificate of the host, set ssl_ca to its certificate.'],
  [/redirect/, 'Set remote to the target of the redirect. Tokens are never sent to another host.'],
  [
    /Could not resolve|Connection refused|timed out|unreachable/i,
    'The server keeps the fetched commits and retries the fetch.',
  ],
]

/** Errors about a remote. */
export const remoteIssues = defineIssues({
  REMOTE_FAILED: {
    text: (a: Failure) => `Could not ${a.doing ?? 'fetch from'} ${a.url}: ${a.why}`,
    hint: (a) => advice.find(([words]) => words.test(a.why))?.[1],
  },
  SECRET_IN_PLAIN: {
    text: (a: { url: string }) => `Could not fetch from ${a.url}: a token is not sent over plain HTTP`,
    hint: () => 'Use https.',
  },
  REMOTE_TOOK_TOO_LONG: {
    text: (a: Omit<Failure, 'why'> & { seconds: number }) =>
      `Could not ${a.doing ?? 'fetch from'} ${a.url}: it took longer than ${a.seconds} seconds`,
    hint: () => 'Increase code_fetch_timeout, or the key timeout of the source.',
  },
  REMOTE_SAYS_TOO_MUCH: {
    text: (a: { url: string; bound: number }) =>
      `Could not fetch from ${a.url}: it listed more than ${a.bound} bytes of refs`,
  },
  REMOTE_EMPTY: {
    text: (a: { url: string }) => `Could not fetch from ${a.url}: it no longer has any branch`,
    hint: () =>
      'The environments are kept, because a re-created or unreadable repository also appears empty. To remove the environments, remove the source.',
  },
  REMOTE_HAS_TOO_MANY_REFS: {
    text: (a: { url: string; bound: number }) => `Could not fetch from ${a.url}: it has more than ${a.bound} refs`,
  },
  REMOTE_SENDS_TOO_MUCH: {
    text: (a: { url: string; bound: number }) => `Could not fetch from ${a.url}: it sent more than ${a.bound} bytes`,
    hint: () => 'Increase max_code_fetch_bytes, or the key max_bytes of the source.',
  },
})

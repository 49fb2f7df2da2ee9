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
    "Its key has to be known: 'ssh-keyscan HOST' prints it; compare it with what the host's owner says, and add it to known_hosts of the server's user, or to the file of the key known_hosts.",
  ],
  [
    /Permission denied|publickey/,
    'The host does not know the key: name one with private_key, and add its public half to the repository there.',
  ],
  [
    /could not read (?:Username|Password)|Authentication failed|error: 40[13]|terminal prompts disabled/,
    'The host wants a token: name a file that holds one with oauth_token; it has to be allowed to read the repository.',
  ],
  [/certificate|SSL/i, 'If the host has a certificate of an authority of your own, name that with ssl_ca.'],
  [/redirect/, 'Name the place to which it leads: a token is sent to no other.'],
  [
    /Could not resolve|Connection refused|timed out|unreachable/i,
    'What was fetched before stays as it is; it is tried again.',
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

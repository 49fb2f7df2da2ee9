/**
 * The bound of something that comes from outside. A budget says how much is taken, never how much is worth having: what
 * is beyond it is refused in words, and changes nothing.
 */
export interface Budget {
  readonly bound: number
  readonly unit: 'bytes' | 'bits' | 'items' | 'levels' | 'characters' | 'ms' | 'days' | 'at once' | 'per minute'
  /** What is bounded. */
  readonly of: string
  /** Why it is so much, and no more. */
  readonly reason: string
  /** What is answered or done beyond it. */
  readonly beyond: string
  /** The setting that moves it, whose default it then is; without one it is fixed. */
  readonly setting?: string
}

const KiB = 1024
const MiB = 1024 * KiB

/** What one connection, known or not, may take of the server. */
const connection = {} as const satisfies Group

/** What one request may bring. */
const request = {
  body: {
    bound: 48 * MiB,
    unit: 'bytes',
    of: 'the body of a request, where its endpoint has no budget of its own',
    reason: 'facts and reports of 16 MiB, encoded twice, are within',
    beyond: '413',
  },
  pemBlocks: {
    bound: 1000,
    unit: 'items',
    of: 'blocks of one PEM text',
    reason: 'a bundle of all authorities of the world has 150',
    beyond: 'the text is refused',
  },
  certificateRequest: {
    bound: 32 * KiB,
    unit: 'bytes',
    of: 'a certificate request',
    reason: 'one with a large key and many extensions has 5 KiB; a client without a certificate may send it',
    beyond: '413',
  },
  certnames: {
    bound: 256 * KiB,
    unit: 'bytes',
    of: 'a list of certnames to sign or to clean, and a wish for the status of one',
    reason: 'some ten thousand names',
    beyond: '413',
  },
  revocationLists: {
    bound: 16 * MiB,
    unit: 'bytes',
    of: 'the revocation lists that an administrator uploads',
    reason: '300,000 revoked certificates',
    beyond: '413',
  },
} as const satisfies Group

/** What one node may have of the server at a time. */
const node = {} as const satisfies Group

/** What one push may bring, and a commit that is served may have: the hook and the loader ask the same row. */
const push = {} as const satisfies Group

/** What the environments that are served may take together. */
const environment = {} as const satisfies Group

/** What the certificate authority does for those who ask it. */
const authority = {
  keyBits: {
    bound: 2048,
    unit: 'bits',
    of: 'an RSA key that gets a certificate, at least; of EC keys, P-256, P-384 and P-521 do',
    reason: 'shorter ones can be broken (NIST SP 800-131A)',
    beyond: '400, or 409 where an administrator signs it',
    setting: 'minimum_keylength',
  },
  longestKeyBits: {
    bound: 8192,
    unit: 'bits',
    of: 'an RSA key that gets a certificate, at most',
    reason: 'a check of its signature takes 1 ms, and every peer does it at each handshake',
    beyond: '400',
  },
  lifetime: {
    bound: 100 * 365,
    unit: 'days',
    of: 'the life of a certificate',
    reason: 'a century; far beyond it a date has no form in X.509',
    beyond: 'nothing is signed: 409',
  },
  submissions: {
    bound: 200,
    unit: 'at once',
    of: 'certificate requests that are taken in, which waits for autosign and for the disk',
    reason: 'a fleet that boots together; each takes some hundredths of a second',
    beyond: '503 with Retry-After',
  },
  submissionsOfOne: {
    bound: 50,
    unit: 'at once',
    of: 'certificate requests that are taken in from one address',
    reason: 'a site behind one address boots together, and leaves three quarters to others',
    beyond: '503 with Retry-After',
  },
  autosignPrograms: {
    bound: 4,
    unit: 'at once',
    of: 'runs of the program that the setting autosign names',
    reason: 'a program takes a process and tens of MiB; more of them are no faster on few cores',
    beyond: 'the request waits for its turn',
    setting: 'autosign_workers',
  },
  autosignOutput: {
    bound: 64 * KiB,
    unit: 'bytes',
    of: 'what the autosign program prints, for the log',
    reason: 'a sentence, or a stack trace',
    beyond: 'the program is ended, and has not agreed',
  },
  waitingRequests: {
    bound: 5000,
    unit: 'items',
    of: 'certificate requests that wait for a person',
    reason: 'a fleet that is signed at once; 160 MiB of disk at most, for anybody may send them',
    beyond: 'what autosign agrees to is signed, and else 503 with Retry-After until requests are signed or cleaned',
    setting: 'max_waiting_requests',
  },
} as const satisfies Group

type Group = Readonly<Record<string, Budget>>

/** Every bound of what comes from outside, once. Code, settings and docs/budgets.md take it from here. */
export const budgets = { connection, request, node, push, environment, authority } as const

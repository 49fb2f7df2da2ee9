import { type Budgets, KiB } from './budget.ts'

/** Budgets of requests to the certificate authority. */
export const authority = {
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
} as const satisfies Budgets

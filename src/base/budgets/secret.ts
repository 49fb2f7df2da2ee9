import { createBudget, MiB } from './budget.ts'

/** Budgets of encrypted data in Hiera. */
// biome-ignore format: one line per budget
export const secretBudgets = {
  gpgTime: createBudget(10_000, 'ms', 'the time of gpg for one encrypted value', 'a decryption takes about 20 ms; a smart card takes a second', 'gpg is ended, and the catalog fails with a reason'),
  gpgOutput: createBudget(1 * MiB, 'bytes', 'the decrypted text of a `GPG` value', 'OpenPGP messages are compressed: 1 KiB may contain 1 MB', 'gpg is ended, and the catalog fails with a reason'),
  decryptedTexts: createBudget(8 * MiB, 'characters', 'cached texts that gpg decrypted, in each compile thread', 'a site has some thousand secrets of 100 bytes; each would start gpg in each compilation', 'gpg decrypts the least recently used text again'),
}

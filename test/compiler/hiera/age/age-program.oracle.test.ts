import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { decodeAgeArmor } from '../../../../src/compiler/hiera/age/age-armor.ts'
import { decryptAgeFile } from '../../../../src/compiler/hiera/age/age-file.ts'
import { type AgeIdentity, parseAgeIdentities } from '../../../../src/compiler/hiera/age/age-identities.ts'
import { without } from '../../../support/needs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { armored, createIdentity, encryptAge } from './age-writer.ts'

const folder = scratchFolder('age')
const lacking = without('age')

/** Runs `age`, with bytes for its input and its output. */
const age = (words: readonly string[], input: Buffer): Buffer =>
  Buffer.from(execaSync('age', words, { input, encoding: 'buffer', stripFinalNewline: false }).stdout)

/** Texts of any length, across the borders of a chunk. */
const lengths = [0, 1, 32, 33, 65_535, 65_536, 65_537, 200_000]

describe.skipIf(lacking)(`age files, beside the program age${lacking}`, () => {
  const ours = [createIdentity(), createIdentity()]
  let made = ''
  let recipient = ''
  let theirs: AgeIdentity

  beforeAll(() => {
    made = execaSync('age-keygen', [], { stderr: 'ignore' }).stdout
    recipient = /public key: (age1\w+)/.exec(made)![1]!
    theirs = parseAgeIdentities(made)[0]!
  })

  it.each(lengths)('that it encrypts, of %i bytes', (length) => {
    const plain = randomBytes(length)
    const recipients = [recipient, ...ours.map((each) => each.recipient)].flatMap((each) => ['-r', each])
    const identities = [[theirs], ...ours.map(({ line }) => parseAgeIdentities(line))]
    const file = age(['-e', ...recipients], plain)
    const text = age(['-e', '--armor', ...recipients], plain).toString()
    for (const each of identities) {
      expect(decryptAgeFile(file, each).equals(plain)).toBe(true)
      expect(decryptAgeFile(decodeAgeArmor(text), each).equals(plain)).toBe(true)
    }
  })

  it.each(lengths)('that it decrypts, of %i bytes', (length) => {
    const plain = randomBytes(length)
    const file = encryptAge(plain, [ours[0]!.publicKey, theirs.publicKey])
    const keys = join(folder, 'keys.txt')
    for (const key of [made, ours[0]!.line]) {
      writeFileSync(keys, `${key}\n`)
      expect(age(['-d', '-i', keys], file).equals(plain)).toBe(true)
      expect(age(['-d', '-i', keys], Buffer.from(armored(file))).equals(plain)).toBe(true)
    }
  })
})

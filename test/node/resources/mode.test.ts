import { describe, expect, it } from 'vitest'
import { computeModeBits, mode, toDirectoryMode } from '../../../src/node/resources/mode.ts'

describe('a mode', () => {
  it.each([
    ['0644', 0o777, false, 0o644],
    ['u=rw,go=r', 0, false, 0o644],
    ['g+w', 0o644, false, 0o664],
    ['o-rwx,g=u', 0o755, false, 0o770],
    ['a+X', 0o644, false, 0o644],
    ['a+X', 0o744, false, 0o755],
    ['a+X', 0o644, true, 0o755],
    ['u+s,g+s', 0o755, false, 0o6755],
    ['+t', 0o755, true, 0o1755],
    ['=', 0o755, false, 0],
  ])('%s on %o (directory: %s) gives %o', (wanted, current, isDirectory, bits) => {
    expect(computeModeBits(wanted, current, isDirectory)).toBe(bits)
  })

  it.each([
    ['0644', '0644'],
    ['644', '0644'],
    ['01777', '1777'],
    ['u=rwx,g+s', 'u=rwx,g+s'],
  ])('may be %s, and is %s', (given, parsed) => {
    expect(mode.parse(given)).toBe(parsed)
  })

  it.each([
    ['9z', 'The file mode specification is invalid: "9z"'],
    ['888', 'The file mode specification is invalid: "888"'],
    [420, "The file mode specification must be a string, not 'Integer'"],
  ])('may not be %s', (text, message) => {
    expect(() => mode.parse(text)).toThrow(message)
  })

  it.each([
    ['0644', '0755'],
    ['0600', '0700'],
    ['0640', '0750'],
    ['u=rw', 'u=rw'],
  ])('of %s becomes %s for a directory', (given, wanted) => {
    expect(toDirectoryMode(given)).toBe(wanted)
  })
})

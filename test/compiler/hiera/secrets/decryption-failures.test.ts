import { expect, it } from 'vitest'
import { throwIssue } from '../../../../src/base/issue.ts'
import { decryptUnlessFailed } from '../../../../src/compiler/hiera/secrets/decryption-failures.ts'
import { secretIssues } from '../../../../src/compiler/hiera/secrets/issues.ts'
import { sopsIssues } from '../../../../src/compiler/hiera/sops/issues.ts'

it('remembers only lasting failures, by their id', () => {
  let attempts = 0
  const fail = () => {
    attempts++
    return throwIssue(sopsIssues.SOPS_MAC, {})
  }
  const attempt = (id: string, isLasting: boolean) => () => decryptUnlessFailed(id, () => isLasting, fail)
  for (let round = 0; round < 3; round++) expect(attempt('lasting', true)).toThrow('MAC mismatch')
  expect(attempts).toBe(1)
  for (let round = 0; round < 3; round++) expect(attempt('passing', false)).toThrow('MAC mismatch')
  expect(attempts).toBe(4)
  expect(() =>
    decryptUnlessFailed(
      'other',
      () => true,
      () => throwIssue(secretIssues.GPG_MISSING, {}),
    ),
  ).toThrow('the program gpg is not installed')
  expect(
    decryptUnlessFailed(
      'good',
      () => true,
      () => 'text',
    ),
  ).toBe('text')
})

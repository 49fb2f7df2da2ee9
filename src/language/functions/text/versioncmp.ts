import { compareVersions } from '../../values/compare-versions.ts'
import { defineFunction } from '../definition/define-function.ts'

/** `versioncmp`: uses the order of `compareVersions`, not that of SemVer; trailing zeros count by default. */
export const versioncmp = defineFunction('versioncmp', 'Compares two versions; returns -1, 0 or 1.', {
  'String $a, String $b, Boolean $ignore_trailing_zeroes?': (a: string, b: string, ignoreZeroes = false) =>
    compareVersions(a, b, ignoreZeroes),
})

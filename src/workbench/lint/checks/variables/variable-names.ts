import type { Check } from '../check.ts'
import { removeIndexes } from './indexes.ts'

const capital = /[A-Z]/

/** `variable_contains_dash` */
export const variableContainsDash: Check = {
  name: 'variable_contains_dash',
  doc: 'The name of a variable contains no dash.',
  check(manifest, report) {
    for (const at of manifest.select('VARIABLE', 'UNENC_VARIABLE')) {
      if (!at.value.includes('-') || !removeIndexes(at.value).includes('-')) continue
      report({ severity: 'warning', message: 'variable contains a dash', at })
    }
  },
}

/** `variable_is_lowercase` */
export const variableIsLowercase: Check = {
  name: 'variable_is_lowercase',
  doc: 'The name of a variable contains no capital letter.',
  check(manifest, report) {
    for (const at of manifest.select('VARIABLE', 'UNENC_VARIABLE')) {
      if (!capital.test(at.value) || !capital.test(removeIndexes(at.value))) continue
      report({ severity: 'warning', message: 'variable contains an uppercase letter', at })
    }
  },
}

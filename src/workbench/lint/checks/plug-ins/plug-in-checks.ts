import type { Check } from '../check.ts'
import { parameterDocumentation } from './parameter-documentation.ts'
import { lookupInParameter, optionalDefault, parameterTypes } from './parameters.ts'
import {
  referenceChainWithoutWhitespace,
  referenceWithoutTitleCapital,
  referenceWithoutWhitespace,
  referenceWithUnquotedTitle,
} from './references.ts'
import { anchorResource, fileEnsure } from './resources.ts'
import { strictIndent } from './strict-indent.ts'
import { trailingComma } from './trailing-comma.ts'
import { unquotedStringInCase, unquotedStringInSelector } from './unquoted-strings.ts'
import { leadingZero, variableContainsUpcase, versionComparison } from './values.ts'
import {
  doubleNewlineEndOfFile,
  missingNewlineEndOfFile,
  newlineBeginningOfFile,
  twoEmptyLines,
} from './whitespace/blank-lines.ts'
import {
  spaceAfterClosingBrace,
  spaceAfterOpeningBrace,
  spaceBeforeClosingBrace,
  spaceBeforeOpeningBrace,
} from './whitespace/braces.ts'
import {
  spaceAfterClosingBracket,
  spaceAfterOpeningBracket,
  spaceBeforeClosingBracket,
  spaceBeforeOpeningBracket,
} from './whitespace/brackets.ts'
import { spaceAfterArrow, spaceAfterClassName, spaceAfterInherits, spaceBeforeClassName } from './whitespace/names.ts'

/** The checks of plug-ins of puppet-lint that Vox Pupuli uses, ordered by the names of the plug-ins. */
export const plugInChecks: readonly Check[] = [
  anchorResource,
  fileEnsure,
  leadingZero,
  lookupInParameter,
  spaceAfterArrow,
  spaceAfterInherits,
  spaceBeforeClassName,
  spaceAfterClassName,
  spaceBeforeClosingBrace,
  spaceAfterClosingBrace,
  spaceBeforeClosingBracket,
  spaceAfterClosingBracket,
  twoEmptyLines,
  newlineBeginningOfFile,
  missingNewlineEndOfFile,
  doubleNewlineEndOfFile,
  spaceBeforeOpeningBrace,
  spaceAfterOpeningBrace,
  spaceBeforeOpeningBracket,
  spaceAfterOpeningBracket,
  optionalDefault,
  parameterDocumentation,
  parameterTypes,
  referenceChainWithoutWhitespace,
  referenceWithUnquotedTitle,
  referenceWithoutTitleCapital,
  referenceWithoutWhitespace,
  strictIndent,
  trailingComma,
  unquotedStringInCase,
  unquotedStringInSelector,
  variableContainsUpcase,
  versionComparison,
]

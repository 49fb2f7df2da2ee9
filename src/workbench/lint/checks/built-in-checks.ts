import type { Check } from './check.ts'
import { arrowOnRightOperandLine } from './classes/arrow-on-right-operand-line.ts'
import { autoloaderLayout, namesContainingDash, namesContainingUppercase } from './classes/class-names.ts'
import { classInheritsFromParamsClass, inheritsAcrossNamespaces } from './classes/inheritance.ts'
import { parameterOrder } from './classes/parameter-order.ts'
import { codeOnTopScope, nestedClassesOrDefines, rightToLeftRelationship } from './classes/scopes.ts'
import { variableScope } from './classes/variable-scope.ts'
import { slashComments, starComments } from './comments/comment-style.ts'
import { caseWithoutDefault, selectorInsideResource } from './conditionals/conditionals.ts'
import { documentation } from './documentation/documentation.ts'
import { legacyFacts } from './facts/legacy-facts.ts'
import { topScopeFacts } from './facts/top-scope-facts.ts'
import { unquotedNodeName } from './nodes/unquoted-node-name.ts'
import { duplicateParams, ensureFirstParam, unquotedResourceTitle } from './resources/attributes.ts'
import { ensureNotSymlinkTarget, fileMode, unquotedFileMode } from './resources/files.ts'
import { onlyVariableString } from './strings/only-variable-string.ts'
import { puppetUrlWithoutModules } from './strings/puppet-urls.ts'
import { doubleQuotedStrings, quotedBooleans, singleQuoteStringWithVariables } from './strings/quotes.ts'
import { variablesNotEnclosed } from './strings/variables-not-enclosed.ts'
import { variableContainsDash, variableIsLowercase } from './variables/variable-names.ts'
import { arrowAlignment } from './whitespace/arrow-alignment.ts'
import { chars80, chars140, hardTabs, softTabs, spaceBeforeArrow, trailingWhitespace } from './whitespace/lines.ts'

/** The checks of puppet-lint, in its order, which is the order of problems and of corrections. */
export const builtInChecks: readonly Check[] = [
  arrowOnRightOperandLine,
  autoloaderLayout,
  classInheritsFromParamsClass,
  codeOnTopScope,
  inheritsAcrossNamespaces,
  namesContainingDash,
  namesContainingUppercase,
  nestedClassesOrDefines,
  parameterOrder,
  rightToLeftRelationship,
  variableScope,
  slashComments,
  starComments,
  caseWithoutDefault,
  selectorInsideResource,
  documentation,
  unquotedNodeName,
  duplicateParams,
  ensureFirstParam,
  ensureNotSymlinkTarget,
  fileMode,
  unquotedFileMode,
  unquotedResourceTitle,
  doubleQuotedStrings,
  onlyVariableString,
  puppetUrlWithoutModules,
  quotedBooleans,
  singleQuoteStringWithVariables,
  variablesNotEnclosed,
  variableContainsDash,
  variableIsLowercase,
  chars140,
  softTabs,
  chars80,
  arrowAlignment,
  hardTabs,
  spaceBeforeArrow,
  trailingWhitespace,
  legacyFacts,
  topScopeFacts,
]

import { unreadDataKey, wrongDataType } from './checks/data.ts'
import { deadBranch } from './checks/dead-branches.ts'
import { duplicateDeclaration } from './checks/duplicates.ts'
import { missingFile } from './checks/files.ts'
import { unknownClass, unknownFunction, unknownType } from './checks/names.ts'
import { missingParameter, unknownParameter } from './checks/parameters.ts'
import { unsetTemplateVariable } from './checks/templates.ts'
import { unknownVariable, unusedParameter, unusedVariable } from './checks/variables.ts'
import { wrongArguments } from './checks/wrong-arguments.ts'
import { wrongType } from './checks/wrong-type.ts'
import type { CodeCheck, DataCheck } from './code-check.ts'

/** The semantic checks of manifests and EPP templates. */
export const codeChecks: readonly CodeCheck[] = [
  unknownVariable,
  unknownClass,
  unknownType,
  unknownFunction,
  unknownParameter,
  missingParameter,
  wrongType,
  wrongArguments,
  missingFile,
  duplicateDeclaration,
  unsetTemplateVariable,
  deadBranch,
  unusedParameter,
  unusedVariable,
]

/** The semantic checks of Hiera data. */
export const dataChecks: readonly DataCheck[] = [unreadDataKey, wrongDataType]

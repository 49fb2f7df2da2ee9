import { throwIssue } from '../../../../base/issue.ts'
import { isAbsolutePath, normalizePath, toBackslashes } from '../../../../machine/windows/machine-path.ts'
import {
  type AttributeKind,
  createEnumKind,
  createListKind,
  createParsedKind,
  inspectPlainValue,
  textKind,
  toPlainText,
  toPlainValue,
} from '../../attribute-kinds.ts'
import { failWithMessage, issues } from '../../issues.ts'
import { defineEnsure, defineNamevar, defineParameter, defineProperty, defineType } from '../../type.ts'
import { type DeclaredTrigger, parseTrigger } from './trigger.ts'

const windowsPath: AttributeKind<string> = createParsedKind((value) => {
  const path = toPlainText(value)
  return isAbsolutePath(path, true) ? path : failWithMessage('Must be specified using an absolute path.')
})

const commandKind: AttributeKind<string> = createParsedKind((value) =>
  toBackslashes(normalizePath(windowsPath.parse(value), true)),
)

const compatibilityLevels = ['1', '2', '3', '4', '5', '6']

const compatibilityKind: AttributeKind<number> = {
  values: compatibilityLevels,
  parse(value) {
    const level = toPlainValue(value)
    if (typeof level !== 'number' || !Number.isInteger(level)) failWithMessage('must be a number')
    if (compatibilityLevels.includes(String(level))) return level
    const valid = `Valid values are ${compatibilityLevels.join(', ')}.`
    return throwIssue(issues.INVALID_VALUE, { value: inspectPlainValue(level), valid })
  },
}

const triggerKind: AttributeKind<readonly DeclaredTrigger[]> = createListKind(createParsedKind(parseTrigger))

/** The resource type `scheduled_task` of the module scheduled_task: tasks of the task scheduler of Windows. */
export const scheduledTask = defineType('scheduled_task', {
  doc: 'Installs and manages Windows Scheduled Tasks.',
  features: { compatibility: 'The provider accepts compatibility to be set for the given task.' },
  attributes: {
    name: defineNamevar(
      textKind,
      'The name of the task, after its folders, as in `Backup\\Nightly`. Folders need a compatibility of at least 2.',
    ),
    ensure: defineEnsure('`present` registers the task, `absent` removes it.'),
    enabled: defineProperty(createEnumKind('true', 'false'), 'Whether the triggers of the task start it.', {
      default: 'true',
    }),
    command: defineProperty(commandKind, 'The absolute path of the program, without arguments.'),
    working_dir: defineProperty(windowsPath, 'The absolute path of the folder in which the program starts.'),
    arguments: defineProperty(textKind, 'The arguments of the program, as one text.'),
    description: defineProperty(textKind, 'The description of the task.'),
    user: defineProperty(
      textKind,
      'The account that runs the program. Without a password, the program runs only while the user is logged on; a name that ends in `$` is a Group Managed Service Account.',
      { default: 'system' },
    ),
    password: defineParameter(textKind, 'The password of the account. Only a change of another attribute sets it.', {
      sensitive: true,
    }),
    compatibility: defineProperty(
      compatibilityKind,
      'The oldest Windows that the task is for: 1 for Windows XP, 2 for Windows Server 2008, 3 for 2008 R2, 4 for 2012 R2 and 2016, 5 or 6 for Windows 10.',
      { needs: 'compatibility', default: 1 },
    ),
    trigger: defineProperty(
      triggerKind,
      'The times and events that start the program: a hash, or an array of hashes, with `schedule` (`once`, `daily`, `weekly`, `monthly`, `boot`, `logon`), `start_time`, `start_date`, `every`, `day_of_week`, `months`, `on`, `which_occurrence`, `minutes_interval`, `minutes_duration`, `user_id`, `random_delay`, `delay`, `disable_time_zone_synchronization`.',
    ),
  },
})

/** Attributes of the type `scheduled_task`. */
export type ScheduledTaskAttributes = (typeof scheduledTask)['attributes']

import type { Value } from '../../../language/values/value.ts'
import { isAbsolutePath, normalizePath } from '../../../machine/windows/machine-path.ts'
import {
  anyKind,
  booleanKind,
  createEnumKind,
  createListKind,
  createParsedKind,
  createPatternKind,
  failMunging,
  inspectPlainValue,
  textKind,
  toPlainText,
  toPlainValue,
} from '../attribute-kinds.ts'
import { failWithMessage } from '../issues.ts'
import { defineNamevar, defineParameter, defineType } from '../type.ts'

/**
 * An absolute path. A relative path is resolved as by Ruby's `expand_path` in `/`, the agent's
 * working directory.
 */
const path = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  return normalizePath(isAbsolutePath(given) ? given : `/${given}`)
})

/** True for unlimited depth, or a number of levels. */
const recurse = createParsedKind((value: Value): boolean | number => {
  const given = toPlainValue(value)
  if (given === 'true' || given === 'inf' || given === true) return true
  if (given === 'false' || given === false) return false
  if (typeof given === 'number' && Number.isInteger(given)) return given
  if (typeof given === 'string' && /^\d+$/.test(given)) return Number(given)
  return failMunging('recurse', value, `Invalid recurse value ${inspectPlainValue(given)}`)
})

/** Parses a number with a unit, identified by its first letter, and converts it to the smallest unit. */
function createMeasureKind(what: 'age' | 'size', units: Readonly<Record<string, number>>, usual: string) {
  return createParsedKind((value: Value): number => {
    const [, number, word] = (typeof value === 'string' && /^([0-9]+)([A-Za-z_]\w*)?$/.exec(value)) || []
    if (number === undefined) return failWithMessage(`Invalid tidy ${what} ${toPlainText(value)}`)
    // As in Puppet, if the unit is missing, the last of several digits is read as the unit.
    const unit = (word ?? (number.length > 1 ? number.slice(-1) : usual)).charAt(0).toLowerCase()
    return Number(number) * (units[unit] ?? failWithMessage(`Invalid ${what} unit '${unit}'`))
  })
}

const day = 24 * 60 * 60
const age = createMeasureKind('age', { s: 1, m: 60, h: 3600, d: day, w: 7 * day }, 'd')
const size = createMeasureKind('size', { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }, 'k')

/** The resource type `tidy`: files to remove because of their age, size or name. */
export const tidy = defineType('tidy', {
  doc: 'Removes unwanted files based on specific criteria.',
  repeatable: true,
  providesItself: true,
  generatesBefore: true,
  attributes: {
    path: defineNamevar(path, 'The file or directory to manage.'),
    recurse: defineParameter(
      recurse,
      'The depth of the search in a directory: true or inf (unlimited), false, or a number.',
    ),
    max_files: defineParameter(
      createParsedKind((value: Value) => Number(createPatternKind(/^[0-9]+$/).parse(value))),
      'The maximum number of files found; 0 only warns about more than 1,000.',
      { default: 0 },
    ),
    matches: defineParameter(createListKind(textKind), 'Glob patterns of names; other files are kept.'),
    backup: defineParameter(anyKind, 'Accepted for compatibility; has no effect, as in Puppet.'),
    age: defineParameter(age, 'The minimum age of a removed file: a number with s, m, h, d or w.'),
    size: defineParameter(size, 'The minimum size of a removed file: a number with b, k, m, g or t.'),
    type: defineParameter(createEnumKind('atime', 'mtime', 'ctime'), 'The timestamp that determines the age.', {
      default: 'atime',
    }),
    rmdirs: defineParameter(booleanKind, 'If true, empty directories are removed, too.'),
  },
  validate(resource) {
    const depth = resource.value('recurse')
    if (resource.has('matches') && (depth === undefined || depth === false || depth === 0))
      resource.failAttribute('matches', "Tidy can't use matches with recurse 0, false, or undef")
  },
})

/** Attributes of the type `tidy`. */
export type TidyAttributes = (typeof tidy)['attributes']

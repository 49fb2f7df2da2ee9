import { createEnumKind, fullPath, textKind, textOrBytes } from '../attribute-kinds.ts'
import { failWithFormError } from '../issues.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

/** The resource type `file_line` of stdlib: single lines of files. */
export const fileLine = defineType('file_line', {
  doc: 'Ensures that a given line is contained within a file.',
  attributes: {
    name: defineNamevar(textKind, 'A unique name of the resource.'),
    ensure: defineProperty(createEnumKind('present', 'absent'), '`present` adds the line, `absent` removes it.', {
      default: 'present',
    }),
    match: defineParameter(textKind, 'A Ruby regular expression; a matching line is replaced.'),
    match_for_absence: defineParameter(
      createEnumKind('true', 'false'),
      'If true, `absent` removes the lines that `match` matches.',
      {
        default: 'false',
      },
    ),
    multiple: defineParameter(createEnumKind('true', 'false'), 'If true, several lines may match.'),
    after: defineParameter(textKind, 'A Ruby regular expression; a new line is inserted after the matching line.'),
    line: defineProperty(textOrBytes, 'The line to add, or with which matching lines are replaced.'),
    path: defineParameter(fullPath, 'The absolute path of the file.'),
    replace: defineParameter(createEnumKind('true', 'false'), 'If false, matching lines are not replaced.', {
      default: 'true',
    }),
    replace_all_matches_not_matching_line: defineParameter(
      createEnumKind('true', 'false'),
      'If true, matching lines are replaced even if the file already contains the line.',
      { default: 'false' },
    ),
    encoding: defineParameter(textKind, 'The encoding of the file, as Ruby names it.', { default: 'UTF-8' }),
    append_on_no_match: defineParameter(
      createEnumKind('true', 'false'),
      'If false, the line is not added if no line matches.',
      {
        default: 'true',
      },
    ),
  },
  autorequire: { file: (resource) => [resource.get('path')] },
  validate(resource) {
    const hasValue = (name: string, value: string) => resource.value(name) === value
    if (hasValue('replace_all_matches_not_matching_line', 'true')) {
      if (hasValue('multiple', 'false'))
        failWithFormError('multiple must be true when replace_all_matches_not_matching_line is true')
      if (hasValue('replace', 'false'))
        failWithFormError('replace must be true when replace_all_matches_not_matching_line is true')
    }
    const matchesSuffice =
      hasValue('ensure', 'absent') && hasValue('match_for_absence', 'true') && resource.has('match')
    if (!resource.has('line') && !matchesSuffice) failWithFormError('line is a required attribute')
    if (!resource.has('path')) failWithFormError('path is a required attribute')
  },
})

/** Attributes of the type `file_line`. */
export type FileLineAttributes = (typeof fileLine)['attributes']

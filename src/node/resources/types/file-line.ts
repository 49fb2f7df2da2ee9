import { complainAboutForm } from '../issues.ts'
import { fullPath, oneOf, text, textOrBytes } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** Single lines of files, from stdlib. */
export const fileLine = defineType('file_line', {
  doc: 'Ensures that a given line is contained within a file.',
  attributes: {
    name: namevar(text, 'A unique name of the resource.'),
    ensure: property(oneOf('present', 'absent'), '`present` adds the line, `absent` removes it.', {
      default: 'present',
    }),
    match: parameter(text, 'A Ruby regular expression; a matching line is replaced.'),
    match_for_absence: parameter(oneOf('true', 'false'), 'If true, `absent` removes the lines that `match` matches.', {
      default: 'false',
    }),
    multiple: parameter(oneOf('true', 'false'), 'If true, several lines may match.'),
    after: parameter(text, 'A Ruby regular expression; a new line is inserted after the matching line.'),
    line: property(textOrBytes, 'The line to add, or with which matching lines are replaced.'),
    path: parameter(fullPath, 'The absolute path of the file.'),
    replace: parameter(oneOf('true', 'false'), 'If false, matching lines are not replaced.', { default: 'true' }),
    replace_all_matches_not_matching_line: parameter(
      oneOf('true', 'false'),
      'If true, matching lines are replaced even if the file already contains the line.',
      { default: 'false' },
    ),
    encoding: parameter(text, 'The encoding of the file, as Ruby names it.', { default: 'UTF-8' }),
    append_on_no_match: parameter(oneOf('true', 'false'), 'If false, the line is not added if no line matches.', {
      default: 'true',
    }),
  },
  autorequire: { file: (resource) => [resource.get('path')] },
  validate(resource) {
    const has = (name: string, value: string) => resource.value(name) === value
    if (has('replace_all_matches_not_matching_line', 'true')) {
      if (has('multiple', 'false'))
        complainAboutForm('multiple must be true when replace_all_matches_not_matching_line is true')
      if (has('replace', 'false'))
        complainAboutForm('replace must be true when replace_all_matches_not_matching_line is true')
    }
    const matchesSuffice = has('ensure', 'absent') && has('match_for_absence', 'true') && resource.has('match')
    if (!resource.has('line') && !matchesSuffice) complainAboutForm('line is a required attribute')
    if (!resource.has('path')) complainAboutForm('path is a required attribute')
  },
})

/** Attributes of the type `file_line`. */
export type FileLineAttributes = (typeof fileLine)['attributes']

/** A file_line resource. */
export type FileLineResource = ManagedResource<FileLineAttributes>

import { complainAboutForm } from '../issues.ts'
import { fullPath, oneOf, text, textOrBytes } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** Single lines of files: stdlib's. */
export const fileLine = defineType('file_line', {
  doc: 'Ensures that a given line is contained within a file.',
  attributes: {
    name: namevar(text, 'An arbitrary name used as the identity of the resource.'),
    ensure: property(oneOf('present', 'absent'), 'Whether the line is there.', { default: 'present' }),
    match: parameter(text, 'A regular expression of Ruby; a line that it matches is replaced.'),
    match_for_absence: parameter(oneOf('true', 'false'), 'Whether lines that match are removed with `absent`.', {
      default: 'false',
    }),
    multiple: parameter(oneOf('true', 'false'), 'Whether several lines may match.'),
    after: parameter(text, 'A regular expression of the line after which a new one is put.'),
    line: property(textOrBytes, 'The line to be appended to the file or used to replace matches.'),
    path: parameter(fullPath, 'The file; fully qualified.'),
    replace: parameter(oneOf('true', 'false'), 'Whether a line that matches is replaced.', { default: 'true' }),
    replace_all_matches_not_matching_line: parameter(
      oneOf('true', 'false'),
      'Whether lines that match are replaced even when the line is there already.',
      { default: 'false' },
    ),
    encoding: parameter(text, "The encoding of the file, by Ruby's name.", { default: 'UTF-8' }),
    append_on_no_match: parameter(oneOf('true', 'false'), 'Whether the line is appended when none matches.', {
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

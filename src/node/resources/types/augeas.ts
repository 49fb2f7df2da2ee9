import type { Value } from '../../../language/values/value.ts'
import { complainAboutForm } from '../issues.ts'
import { anything, boolean, listOf, oneOf, parsedBy, text } from '../kind.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** A list of command lines. */
const commands = {
  list: true as const,
  parse: (value: Value) =>
    listOf(text)
      .parse(value)
      .flatMap((each) => each.split('\n')),
}

/** Changes of configuration files through Augeas trees. */
export const augeas = defineType('augeas', {
  doc: 'Apply a change or an array of changes to the filesystem using the augeas tool. Requires the program `augtool`.',
  features: {
    parse_commands: 'Parse the command string.',
    'need_to_run?': 'If the command should run.',
    execute_changes: 'Actually make the changes.',
  },
  attributes: {
    returns: property(anything, 'Internal; do not set it.', { default: 0 }),
    name: namevar(text, 'A unique name of the resource.'),
    context: parameter(text, 'The prefix of relative paths. Default: the path of `incl`.', { default: '' }),
    onlyif: parameter(text, 'The condition for the changes: `get`, `values` or `match` with a comparison.', {
      default: '',
    }),
    changes: parameter(
      commands,
      'The changes: `set`, `setm`, `rm`, `clear`, `clearm`, `touch`, `ins`, `mv`, `rename`, `defvar`, `defnode`.',
    ),
    root: parameter(text, 'The root directory of all files.', { default: '/' }),
    load_path: parameter(
      {
        ...listOf(text),
        parse: (value: Value) =>
          listOf(text)
            .parse(value)
            .flatMap((each) => each.split(':')),
      },
      'Directories of lenses.',
    ),
    force: parameter(
      parsedBy((value: Value) => value !== false && value !== undefined),
      'If true, the changes are applied even if they appear unnecessary.',
      { default: false },
    ),
    type_check: parameter(oneOf('true', 'false'), 'If true, lenses are type-checked.', { default: 'false' }),
    lens: parameter(text, 'The lens for `incl`: `Hosts.lns`.'),
    incl: parameter(text, 'The only file to load.'),
    show_diff: parameter(boolean, 'If true, differences of files are shown.', { default: true }),
    provider: parameter(anything, 'The backend.'),
  },
  complete(resource) {
    const incl = resource.get('incl')
    if (resource.get('context') === '' && incl !== undefined) resource.put('context', `/files${incl}`)
  },
  validate(resource) {
    if (resource.has('lens') !== resource.has('incl'))
      complainAboutForm('You must specify both the lens and incl parameters, or neither.')
  },
})

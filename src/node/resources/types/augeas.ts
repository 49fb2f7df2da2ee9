import type { Value } from '../../../language/values/value.ts'
import { complainAboutForm } from '../issues.ts'
import { anything, boolean, listOf, oneOf, parsedBy, text } from '../kind.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** Lines of commands. */
const commands = {
  list: true as const,
  parse: (value: Value) =>
    listOf(text)
      .parse(value)
      .flatMap((each) => each.split('\n')),
}

/** Changes of configuration files by their trees. */
export const augeas = defineType('augeas', {
  doc: 'Apply a change or an array of changes to the filesystem using the augeas tool. Requires the program `augtool`.',
  features: {
    parse_commands: 'Parse the command string.',
    'need_to_run?': 'If the command should run.',
    execute_changes: 'Actually make the changes.',
  },
  attributes: {
    returns: property(anything, 'Not to be set.', { default: 0 }),
    name: namevar(text, 'The name of the task.'),
    context: parameter(text, 'The path that relative paths begin with; that of `incl` unless given.', { default: '' }),
    onlyif: parameter(text, 'A question: `get`, `values` or `match`, with a comparison.', { default: '' }),
    changes: parameter(
      commands,
      'The changes: `set`, `setm`, `rm`, `clear`, `clearm`, `touch`, `ins`, `mv`, `rename`, `defvar`, `defnode`.',
    ),
    root: parameter(text, 'The folder below which all files are.', { default: '/' }),
    load_path: parameter(
      {
        ...listOf(text),
        parse: (value: Value) =>
          listOf(text)
            .parse(value)
            .flatMap((each) => each.split(':')),
      },
      'Folders of lenses.',
    ),
    force: parameter(
      parsedBy((value: Value) => value !== false && value !== undefined),
      'Whether to change even what seems to be in order.',
      { default: false },
    ),
    type_check: parameter(oneOf('true', 'false'), 'Whether to check the types of lenses.', { default: 'false' }),
    lens: parameter(text, 'The lens for `incl`: `Hosts.lns`.'),
    incl: parameter(text, 'The only file to load.'),
    show_diff: parameter(boolean, 'Whether to show differences of files.', { default: true }),
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

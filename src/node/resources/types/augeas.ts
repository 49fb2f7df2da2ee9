import type { Value } from '../../../language/values/value.ts'
import { anyKind, booleanKind, createEnumKind, createListKind, createParsedKind, textKind } from '../attribute-kinds.ts'
import { failWithFormError } from '../issues.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

/** Kind of an attribute whose value is a list of command lines. */
const commands = {
  list: true as const,
  parse: (value: Value) =>
    createListKind(textKind)
      .parse(value)
      .flatMap((each) => each.split('\n')),
}

/** The resource type `augeas`: changes of configuration files through Augeas trees. */
export const augeasType = defineType('augeas', {
  doc: 'Apply a change or an array of changes to the filesystem using the augeas tool. Requires the program `augtool`.',
  features: {
    parse_commands: 'Parse the command string.',
    'need_to_run?': 'If the command should run.',
    execute_changes: 'Actually make the changes.',
  },
  attributes: {
    returns: defineProperty(anyKind, 'Internal; do not set it.', { default: 0 }),
    name: defineNamevar(textKind, 'A unique name of the resource.'),
    context: defineParameter(textKind, 'The prefix of relative paths. Default: the path of `incl`.', { default: '' }),
    onlyif: defineParameter(textKind, 'The condition for the changes: `get`, `values` or `match` with a comparison.', {
      default: '',
    }),
    changes: defineParameter(
      commands,
      'The changes: `set`, `setm`, `rm`, `clear`, `clearm`, `touch`, `ins`, `mv`, `rename`, `defvar`, `defnode`.',
    ),
    root: defineParameter(textKind, 'The root directory of all files.', { default: '/' }),
    load_path: defineParameter(
      {
        ...createListKind(textKind),
        parse: (value: Value) =>
          createListKind(textKind)
            .parse(value)
            .flatMap((each) => each.split(':')),
      },
      'Directories of lenses.',
    ),
    force: defineParameter(
      createParsedKind((value: Value) => value !== false && value !== undefined),
      'If true, the changes are applied even if they appear unnecessary.',
      { default: false },
    ),
    type_check: defineParameter(createEnumKind('true', 'false'), 'If true, lenses are type-checked.', {
      default: 'false',
    }),
    lens: defineParameter(textKind, 'The lens for `incl`: `Hosts.lns`.'),
    incl: defineParameter(textKind, 'The only file to load.'),
    show_diff: defineParameter(booleanKind, 'If true, differences of files are shown.', { default: true }),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  complete(resource) {
    const incl = resource.get('incl')
    if (resource.get('context') === '' && incl !== undefined) resource.put('context', `/files${incl}`)
  },
  validate(resource) {
    if (resource.has('lens') !== resource.has('incl'))
      failWithFormError('You must specify both the lens and incl parameters, or neither.')
  },
})

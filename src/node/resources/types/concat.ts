import type { Value } from '../../../language/values/value.ts'
import {
  booleanKind,
  createEnumKind,
  createListKind,
  createParsedKind,
  fullPath,
  textKind,
  toPlainText,
} from '../attribute-kinds.ts'
import { failWithFormError } from '../issues.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { mode } from '../mode.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'
import { createOwnerKind } from './file.ts'

/** A string; other types are rejected, not converted. */
const createStringKind = (name: string) =>
  createParsedKind((value: Value): string =>
    typeof value === 'string' ? value : failWithFormError(`${name} must be a String`),
  )

const backup = createParsedKind((value: Value): string | boolean =>
  typeof value === 'string' || typeof value === 'boolean'
    ? value
    : failWithFormError('Backup must be a Boolean or String'),
)

const sources = createParsedKind((value: Value): readonly string[] =>
  typeof value === 'string' || Array.isArray(value)
    ? createListKind(textKind).parse(value)
    : failWithFormError('Content must be a String or Array'),
)

const order = createParsedKind((value: Value): string => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    failWithFormError('$order is not a string or integer.')
  const given = toPlainText(value)
  if (/[:\n/]/.test(given)) failWithFormError("Order cannot contain '/', ':', or '\\n'.")
  return given
})

const formats = ['plain', 'yaml', 'json', 'json-array', 'json-pretty', 'json-array-pretty'] as const

/** The resource type `concat_file` of the module concat: files made of fragments. */
export const concatFile = defineType('concat_file', {
  doc: 'Generates a file with content from fragments sharing a common unique tag.',
  providesItself: true,
  attributes: {
    path: defineNamevar(fullPath, 'The absolute path of the file.'),
    ensure: defineProperty(createEnumKind('present', 'absent'), '`present` creates the file, `absent` removes it.', {
      default: 'present',
    }),
    tag: defineParameter(textKind, 'The tag of the fragments of this file.'),
    owner: defineParameter(createOwnerKind('user'), 'The user who owns the file.'),
    group: defineParameter(createOwnerKind('group'), 'The group that owns the file.'),
    mode: defineParameter(mode, 'The permissions of the file.'),
    order: defineParameter(
      createEnumKind('alpha', 'numeric'),
      'The sort order of fragments: alphabetical or numeric.',
      {
        default: 'numeric',
      },
    ),
    backup: defineParameter(backup, 'The backup of replaced content, as for `file`.'),
    replace: defineParameter(booleanKind, 'If false, an existing file is not changed.', { default: true }),
    validate_cmd: defineParameter(
      createStringKind('Validate_cmd'),
      'A command that validates the new file, as for `file`.',
    ),
    ensure_newline: defineParameter(booleanKind, 'If true, a newline is added to each fragment that has none.', {
      default: false,
    }),
    format: defineParameter(
      createEnumKind(...formats),
      'The format in which fragments are merged; `plain` concatenates text.',
      {
        default: 'plain',
      },
    ),
    force: defineParameter(
      booleanKind,
      'If true, conflicting values of a key are resolved; otherwise they are an error.',
      {
        default: false,
      },
    ),
    selinux_ignore_defaults: defineParameter(booleanKind, 'As for `file`.'),
    selrange: defineParameter(createStringKind('Selrange'), 'As for `file`.'),
    selrole: defineParameter(createStringKind('Selrole'), 'As for `file`.'),
    seltype: defineParameter(createStringKind('Seltype'), 'As for `file`.'),
    seluser: defineParameter(createStringKind('Seluser'), 'As for `file`.'),
    show_diff: defineParameter(booleanKind, 'If true, differences of content are shown.'),
  },
  autorequire: { file: (resource) => [resource.get('path')] },
})

/** The resource type `concat_fragment` of the module concat: fragments of files. */
export const concatFragment = defineType('concat_fragment', {
  doc: 'Manages the fragment.',
  providesItself: true,
  attributes: {
    name: defineNamevar(textKind, 'The name of the fragment.'),
    target: defineParameter(createStringKind('Target'), 'The path or title of the concat_file.'),
    content: defineParameter({ ...createStringKind('Content'), bytes: true }, 'The content.'),
    source: defineParameter(sources, 'URLs or paths of the content; the first existing one is used.'),
    order: defineParameter(order, 'The sort key of the fragment within the file.', { default: '10' }),
    tag: defineParameter(textKind, 'The tag with which a concat_file collects the fragment.'),
  },
  validate(resource) {
    if (!resource.has('target') && !resource.has('tag')) failWithFormError("No 'target' or 'tag' set")
    const [content, source] = [resource.has('content'), resource.has('source')]
    if (!content && !source) failWithFormError("Set either 'source' or 'content'")
    if (content && source) failWithFormError("Can't use 'source' and 'content' at the same time")
  },
})

/** Attributes of the type `concat_file`. */
export type ConcatFileAttributes = (typeof concatFile)['attributes']

/** A concat_file resource. */
export type ConcatFile = ManagedResource<ConcatFileAttributes>

/** A concat_fragment resource. */
export type ConcatFragment = ManagedResource<(typeof concatFragment)['attributes']>

/** True if the fragment belongs to the file. The fragment names the file by path, title or tag. */
export function belongsToFile(fragment: ConcatFragment, file: ConcatFile): boolean {
  const target = fragment.get('target')
  const tag = fragment.get('tag')
  if (target !== undefined && (target === file.get('path') || target === file.title)) return true
  return tag !== undefined && tag === file.get('tag')
}

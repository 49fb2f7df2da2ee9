import type { Value } from '../../../language/values/value.ts'
import { complainAboutForm } from '../issues.ts'
import { boolean, fullPath, listOf, oneOf, parsedBy, plain, text } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { mode } from '../mode.ts'
import { defineType, namevar, parameter, property } from '../type.ts'
import { owner } from './file.ts'

/** A string; other types are rejected, not converted. */
const onlyText = (name: string) =>
  parsedBy((value: Value): string =>
    typeof value === 'string' ? value : complainAboutForm(`${name} must be a String`),
  )

const backup = parsedBy((value: Value): string | boolean =>
  typeof value === 'string' || typeof value === 'boolean'
    ? value
    : complainAboutForm('Backup must be a Boolean or String'),
)

const sources = parsedBy((value: Value): readonly string[] =>
  typeof value === 'string' || Array.isArray(value)
    ? listOf(text).parse(value)
    : complainAboutForm('Content must be a String or Array'),
)

const order = parsedBy((value: Value): string => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    complainAboutForm('$order is not a string or integer.')
  const given = String(plain(value))
  if (/[:\n/]/.test(given)) complainAboutForm("Order cannot contain '/', ':', or '\\n'.")
  return given
})

const formats = ['plain', 'yaml', 'json', 'json-array', 'json-pretty', 'json-array-pretty'] as const

/** Files made of fragments, from the module concat. */
export const concatFile = defineType('concat_file', {
  doc: 'Generates a file with content from fragments sharing a common unique tag.',
  providesItself: true,
  attributes: {
    path: namevar(fullPath, 'The absolute path of the file.'),
    ensure: property(oneOf('present', 'absent'), '`present` creates the file, `absent` removes it.', {
      default: 'present',
    }),
    tag: parameter(text, 'The tag of the fragments of this file.'),
    owner: parameter(owner('user'), 'The user who owns the file.'),
    group: parameter(owner('group'), 'The group that owns the file.'),
    mode: parameter(mode, 'The permissions of the file.'),
    order: parameter(oneOf('alpha', 'numeric'), 'The sort order of fragments: alphabetical or numeric.', {
      default: 'numeric',
    }),
    backup: parameter(backup, 'The backup of replaced content, as for `file`.'),
    replace: parameter(boolean, 'If false, an existing file is not changed.', { default: true }),
    validate_cmd: parameter(onlyText('Validate_cmd'), 'A command that validates the new file, as for `file`.'),
    ensure_newline: parameter(boolean, 'If true, a newline is added to each fragment that has none.', {
      default: false,
    }),
    format: parameter(oneOf(...formats), 'The format in which fragments are merged; `plain` concatenates text.', {
      default: 'plain',
    }),
    force: parameter(boolean, 'If true, conflicting values of a key are resolved; otherwise they are an error.', {
      default: false,
    }),
    selinux_ignore_defaults: parameter(boolean, 'As for `file`.'),
    selrange: parameter(onlyText('Selrange'), 'As for `file`.'),
    selrole: parameter(onlyText('Selrole'), 'As for `file`.'),
    seltype: parameter(onlyText('Seltype'), 'As for `file`.'),
    seluser: parameter(onlyText('Seluser'), 'As for `file`.'),
    show_diff: parameter(boolean, 'If true, differences of content are shown.'),
  },
  autorequire: { file: (resource) => [resource.get('path')] },
})

/** Fragments of files, from the module concat. */
export const concatFragment = defineType('concat_fragment', {
  doc: 'Manages the fragment.',
  providesItself: true,
  attributes: {
    name: namevar(text, 'The name of the fragment.'),
    target: parameter(onlyText('Target'), 'The path or title of the concat_file.'),
    content: parameter({ ...onlyText('Content'), bytes: true }, 'The content.'),
    source: parameter(sources, 'URLs or paths of the content; the first existing one is used.'),
    order: parameter(order, 'The sort key of the fragment within the file.', { default: '10' }),
    tag: parameter(text, 'The tag with which a concat_file collects the fragment.'),
  },
  validate(resource) {
    if (!resource.has('target') && !resource.has('tag')) complainAboutForm("No 'target' or 'tag' set")
    const [content, source] = [resource.has('content'), resource.has('source')]
    if (!content && !source) complainAboutForm("Set either 'source' or 'content'")
    if (content && source) complainAboutForm("Can't use 'source' and 'content' at the same time")
  },
})

/** Attributes of the type `concat_file`. */
export type ConcatFileAttributes = (typeof concatFile)['attributes']

/** A concat_file resource. */
export type ConcatFile = ManagedResource<ConcatFileAttributes>

/** A concat_fragment resource. */
export type ConcatFragment = ManagedResource<(typeof concatFragment)['attributes']>

/** True if the fragment belongs to the file. The fragment names the file by path, title or tag. */
export function belongsTo(fragment: ConcatFragment, file: ConcatFile): boolean {
  const target = fragment.get('target')
  const tag = fragment.get('tag')
  if (target !== undefined && (target === file.get('path') || target === file.title)) return true
  return tag !== undefined && tag === file.get('tag')
}

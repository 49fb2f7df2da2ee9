import type { Value } from '../../../language/values/value.ts'
import { complainAboutForm } from '../issues.ts'
import { boolean, fullPath, listOf, oneOf, parsedBy, plain, text } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { mode } from '../mode.ts'
import { defineType, namevar, parameter, property } from '../type.ts'
import { owner } from './file.ts'

/** A text, and nothing that could be made one. */
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

/** Files made of fragments: concat's. */
export const concatFile = defineType('concat_file', {
  doc: 'Generates a file with content from fragments sharing a common unique tag.',
  providesItself: true,
  attributes: {
    path: namevar(fullPath, 'The file; fully qualified.'),
    ensure: property(oneOf('present', 'absent'), 'Whether the file exists.', { default: 'present' }),
    tag: parameter(text, 'A tag that fragments of this file have.'),
    owner: parameter(owner('user'), 'The user who owns the file.'),
    group: parameter(owner('group'), 'The group that owns the file.'),
    mode: parameter(mode, 'The permissions of the file.'),
    order: parameter(oneOf('alpha', 'numeric'), 'Whether orders are compared as texts or as numbers.', {
      default: 'numeric',
    }),
    backup: parameter(backup, 'How to keep what is replaced, as with `file`.'),
    replace: parameter(boolean, 'Whether to replace content that is there already.', { default: true }),
    validate_cmd: parameter(onlyText('Validate_cmd'), 'A command that checks the new file, as with `file`.'),
    ensure_newline: parameter(boolean, 'Whether each fragment ends in a line break.', { default: false }),
    format: parameter(oneOf(...formats), 'The data that fragments are merged as; plain is text.', { default: 'plain' }),
    force: parameter(boolean, 'Whether one of two values of a key wins; without it that is an error.', {
      default: false,
    }),
    selinux_ignore_defaults: parameter(boolean, 'As with `file`.'),
    selrange: parameter(onlyText('Selrange'), 'As with `file`.'),
    selrole: parameter(onlyText('Selrole'), 'As with `file`.'),
    seltype: parameter(onlyText('Seltype'), 'As with `file`.'),
    seluser: parameter(onlyText('Seluser'), 'As with `file`.'),
    show_diff: parameter(boolean, 'Whether to show differences of content.'),
  },
  autorequire: { file: (resource) => [resource.get('path')] },
})

/** Parts of such files: concat's. */
export const concatFragment = defineType('concat_fragment', {
  doc: 'Manages the fragment.',
  providesItself: true,
  attributes: {
    name: namevar(text, 'The name of the fragment.'),
    target: parameter(onlyText('Target'), 'The path or title of the concat_file.'),
    content: parameter({ ...onlyText('Content'), bytes: true }, 'The content.'),
    source: parameter(sources, 'URLs or paths of the content; the first that exists.'),
    order: parameter(order, 'The place among the fragments of the file.', { default: '10' }),
    tag: parameter(text, 'The tag by which a concat_file collects it.'),
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

/** True for a fragment that goes into the file: by path, title or tag. */
export function belongsTo(fragment: ConcatFragment, file: ConcatFile): boolean {
  const target = fragment.get('target')
  const tag = fragment.get('tag')
  if (target !== undefined && (target === file.get('path') || target === file.title)) return true
  return tag !== undefined && tag === file.get('tag')
}

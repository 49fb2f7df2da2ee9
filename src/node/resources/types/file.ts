import { fail } from '../../../base/issue.ts'
import { withoutTrailing, withoutTrailingSlashes } from '../../../base/text/trailing.ts'
import { strictInteger } from '../../../language/ruby-semantics/numbers/number-texts.ts'
import type { Value } from '../../../language/values/value.ts'
import { checksumContentWarning, isChecksumContent } from '../checksum-content.ts'
import { complain, complainAboutForm, issues } from '../issues.ts'
import {
  absolutePath,
  anything,
  boolean,
  inspect,
  type Kind,
  listOf,
  matching,
  oneOf,
  parsedBy,
  plain,
  text,
} from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { mode } from '../mode.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

/** Checksum types to compare file contents, in the server's order of preference (protocol.md 3). */
export const checksumTypes = [
  'sha256',
  'sha256lite',
  'md5',
  'md5lite',
  'sha1',
  'sha1lite',
  'sha512',
  'sha384',
  'sha224',
  'mtime',
  'ctime',
  'none',
] as const

/** Number of hex digits by checksum type. */
const sumLengths: Readonly<Record<string, number>> = {
  md5: 32,
  sha1: 40,
  sha224: 56,
  sha256: 64,
  sha384: 96,
  sha512: 128,
}

/** Checksum types that cannot describe `content`. */
const sourceOnly = ['none', 'ctime', 'mtime']

const ensure = parsedBy((value: Value) => {
  const word = String(plain(value))
  return word === 'false' ? 'absent' : word
})

const recurse = parsedBy((value: Value): 'true' | 'false' | 'remote' => {
  const word = String(plain(value))
  if (word === 'true' || word === 'false' || word === 'remote') return word
  return complain(`Invalid recurse value ${inspect(plain(value))}`)
})

const backup = parsedBy((value: Value): string | false => {
  const first = Array.isArray(value) ? (value[0] as Value) : value
  if (first === false || first === 'false') return false
  if (first === true || first === 'true') return '.puppet-bak'
  if (typeof first === 'string') return first
  return complain(`Invalid backup type ${inspect(first)}`)
})

const maxFiles = parsedBy((value: Value): number => {
  const given = plain(value)
  return /^(?:[0-9]+|-1)$/.test(String(given))
    ? Number(given)
    : fail(issues.INVALID_VALUE, { value: inspect(given), valid: 'Valid values match /^[0-9]+$/, /^-1$/.' })
})

const content: Kind<string | Uint8Array> = {
  bytes: true,
  parse(value) {
    const given = plain(value)
    return given instanceof Uint8Array ? given : String(given)
  },
}

const source = parsedBy((value: Value): string => {
  const given = String(plain(value))
  if (given.startsWith('/')) return `file://${withoutTrailingSlashes(given)}`
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(given) ?? []
  if (scheme === undefined) complain(`Cannot use relative URLs '${given}'`)
  if (!rest?.startsWith('/')) complain(`Cannot use opaque URLs '${given}'`)
  const type = scheme.toLowerCase()
  if (!['file', 'puppet', 'http', 'https'].includes(type))
    complain(`Cannot use URLs of type '${type}' as source for fileserving`)
  return withoutTrailing(given, '/')
})

/** A user or group, by name or ID. */
export const owner = (kind: 'user' | 'group') =>
  parsedBy((value: Value): string | number => {
    const given = plain(value)
    if (given === '' && kind === 'group') complain(`Invalid ${kind} name '${inspect(given)}'`)
    if (typeof given === 'number') return Math.trunc(given)
    const id = strictInteger(String(given))
    return id === undefined ? String(given) : Number(id)
  })

const readOnly = (name: string) => parsedBy((): string => complainAboutForm(`${name} is read-only`))

/** Files, directories and symbolic links. */
export const file = defineType('file', {
  doc: 'Manages files, including their content, ownership, and permissions.',
  features: { manages_symlinks: 'The provider can manage symbolic links.' },
  fromTitle: (title) => ({ path: withoutTrailingSlashes(title) }),
  attributes: {
    path: namevar(absolutePath, 'The absolute path of the file.'),
    ensure: property(ensure, 'The state of the file: present, absent, file, directory, link, or the target of a link.'),
    backup: parameter(
      backup,
      'The backup of replaced content: false, a suffix that begins with a dot, or the name of a filebucket.',
      {
        default: false,
      },
    ),
    recurse: parameter(
      recurse,
      'If true, the contents of a directory are managed; `remote` manages only files of the source.',
    ),
    recurselimit: parameter(
      parsedBy((value: Value) => Number(matching(/^[0-9]+$/).parse(value))),
      'The maximum depth of recursion.',
    ),
    max_files: parameter(maxFiles, 'The maximum number of files in a recursion; 0 only warns, -1 disables the check.', {
      default: 0,
    }),
    replace: parameter(boolean, 'If false, an existing file is not changed.', { default: true }),
    force: parameter(boolean, 'If true, directories may be replaced or removed.', { default: false }),
    ignore: parameter(listOf(text), 'Glob patterns of names that recursion skips.'),
    links: parameter(oneOf('follow', 'manage'), '`manage` manages symbolic links themselves, `follow` their targets.', {
      default: 'manage',
    }),
    purge: parameter(boolean, 'If true, recursion removes unmanaged files.', { default: false }),
    sourceselect: parameter(
      oneOf('first', 'all'),
      'The sources of a directory: the first existing one, or all combined.',
      {
        default: 'first',
      },
    ),
    show_diff: parameter(boolean, 'If true, differences of content are shown.', { default: true }),
    staging_location: parameter(
      absolutePath,
      'Directory of the temporary file that `validate_cmd` checks; by default the directory of the file.',
    ),
    validate_cmd: parameter(
      text,
      'A command that validates a new file before it replaces the old file; `%` is its path.',
    ),
    validate_replacement: parameter(text, 'The placeholder for the path in `validate_cmd`.', { default: '%' }),
    checksum: parameter(oneOf(...checksumTypes), 'The checksum algorithm that compares contents.'),
    content: property(content, 'The content, a String or a Binary.'),
    source: parameter(
      listOf(source),
      'The source of the content: puppet, file or http URLs, or paths; the first existing one is used.',
    ),
    source_permissions: parameter(
      oneOf('use', 'use_when_creating', 'ignore'),
      'The use of the owner, group and mode of the source.',
      {
        default: 'ignore',
      },
    ),
    checksum_value: property(text, "The checksum of the source's content."),
    target: property(text, 'The target of a symbolic link.'),
    owner: property(owner('user'), 'The owner of the file: a name or a UID.'),
    group: property(owner('group'), 'The group of the file: a name or a GID.'),
    mode: property(mode, 'The permissions in octal or symbolic notation, as a string.'),
    type: property(readOnly('type'), 'Read-only: the type of the file.'),
    seluser: property(text, "The user of the file's SELinux context."),
    selrole: property(text, "The role of the file's SELinux context."),
    seltype: property(text, "The type of the file's SELinux context."),
    selrange: property(text, "The range of the file's SELinux context."),
    selinux_ignore_defaults: parameter(boolean, 'If true, default SELinux contexts are not applied.', {
      default: false,
    }),
    ctime: property(readOnly('ctime'), 'Read-only: the time of the last change of content, owner or permissions.'),
    mtime: property(readOnly('mtime'), 'Read-only: the time of the last change of content.'),
    provider: parameter(anything, 'The backend.'),
  },
  autorequire: {
    file: (resource, catalog) => [
      ancestors(resource.name).find((path) => catalog.has('file', path)),
      resource.get('target'),
      ...(resource.get('source') ?? []).map((each) => /^file:\/\/(?:[^/]*)(\/.*)$/i.exec(each)?.[1]),
    ],
    user: (resource) => [nameOf(resource.get('owner'))],
    group: (resource) => [nameOf(resource.get('group'))],
  },
  sensitiveWith: { content: ['ensure'], source: ['content', 'checksum_value', 'ensure'], ensure: ['target'] },
  complete(resource) {
    if (isChecksumContent(resource.get('content')) && !resource.has('source'))
      resource.warnings.push(checksumContentWarning(resource))
    if (resource.given.has('source_permissions') && resource.get('source_permissions') !== 'ignore')
      resource.warnings.push(
        `The \`source_permissions\` parameter is deprecated. Explicitly set \`owner\`, \`group\`, and \`mode\`.\n   ${resource.place().trim()}`,
      )
    if (resource.has('checksum_value') && !resource.has('content') && !resource.has('source'))
      resource.warnings.push(`/${resource.reference}: Checksum value is ignored unless content or source are specified`)
    const wanted = resource.get('ensure')
    if (wanted === undefined) {
      if (resource.has('target')) resource.set('ensure', 'link')
      else if (resource.has('content')) resource.set('ensure', 'file')
    } else if (!['absent', 'present', 'file', 'directory', 'link'].includes(wanted)) {
      resource.set('target', wanted)
      resource.set('ensure', 'link')
    }
  },
  validate: (resource) => validate((name) => resource.value(name)),
  finish(resource, catalog) {
    const bucket = resource.get('backup')
    if (bucket === undefined || bucket === false || bucket.startsWith('.') || bucket === 'puppet') return
    if (catalog.has('filebucket', bucket)) return
    complain(resource.withoutSecrets(`Could not find filebucket ${bucket} specified in backup`))
  },
})

/** A file resource. */
export type FileResource = ManagedResource<(typeof file)['attributes']>

function validate(get: (name: string) => unknown): void {
  const creators = ['content', 'source', 'target'].filter((name) => get(name) !== undefined)
  if (creators.length > 1) complainAboutForm('You cannot specify more than one of content, source, target')
  if (get('source') === undefined && get('recurse') === 'remote')
    complainAboutForm('You cannot specify a remote recursion without a source')
  const checksum = String(get('checksum'))
  const sum = get('checksum_value')
  const type = checksum === 'undefined' ? 'sha256' : checksum
  const length = sumLengths[type.replace('lite', '')]
  if (sum !== undefined && length !== undefined && !(String(sum).length === length && /^[0-9a-f]+$/i.test(String(sum))))
    complain(`Checksum value '${String(sum)}' is not a valid checksum type ${type}`)
  if (checksum === 'none' && get('source') !== undefined)
    complainAboutForm("You cannot specify source when using checksum 'none'")
  if (sourceOnly.includes(checksum) && get('content') !== undefined)
    complain(`You cannot specify content when using checksum '${checksum}'`)
}

function nameOf(owner: string | number | undefined): string | undefined {
  return typeof owner === 'string' ? owner : undefined
}

/** The directories above a path, the nearest first. */
export function ancestors(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('/') || '/')
}

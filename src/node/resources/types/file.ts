import { throwIssue } from '../../../base/issue.ts'
import { trimTrailing, trimTrailingSlashes } from '../../../base/text/trailing-characters.ts'
import { parseStrictInteger } from '../../../language/ruby-semantics/numbers/number-parsing.ts'
import { getRubyClassName } from '../../../language/types/ruby-class.ts'
import { Binary } from '../../../language/values/binary.ts'
import type { Value } from '../../../language/values/value.ts'
import { listParentPaths } from '../../../machine/windows/machine-path.ts'
import { getLocalSourcePath, toFileUrl } from '../../../machine/windows/source-path.ts'
import {
  type AttributeKind,
  absolutePath,
  anyKind,
  booleanKind,
  createEnumKind,
  createListKind,
  createParsedKind,
  createPatternKind,
  failMunging,
  inspectPlainValue,
  textKind,
  toPlainText,
  toPlainValue,
} from '../attribute-kinds.ts'
import { getEtagDigest } from '../checksum.ts'
import { formatChecksumContentWarning, isChecksumContent } from '../checksum-content.ts'
import { failWithFormError, failWithMessage, issues } from '../issues.ts'
import { mode } from '../mode.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

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
  'etag',
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

const ensure = createParsedKind((value: Value) => {
  const word = toPlainText(value)
  return word === 'false' ? 'absent' : word
})

const recurse = createParsedKind((value: Value): 'true' | 'false' | 'remote' => {
  const word = toPlainText(value)
  if (word === 'true' || word === 'false' || word === 'remote') return word
  return failWithMessage(`Invalid recurse value ${inspectPlainValue(toPlainValue(value))}`)
})

const backup = createParsedKind((value: Value): string | false => {
  const first = Array.isArray(value) ? (value[0] as Value) : value
  if (first === false || first === 'false') return false
  if (first === true || first === 'true') return '.puppet-bak'
  if (typeof first === 'string') return first
  return failWithMessage(`Invalid backup type ${inspectPlainValue(toPlainValue(first))}`)
})

const maxFiles = createParsedKind((value: Value): number => {
  const given = toPlainValue(value)
  return /^(?:[0-9]+|-1)$/.test(String(given))
    ? Number(given)
    : throwIssue(issues.INVALID_VALUE, {
        value: inspectPlainValue(given),
        valid: 'Valid values match /^[0-9]+$/, /^-1$/.',
      })
})

/** The name of a value's class in Ruby's errors about conversions. */
function describeClass(value: Value): string {
  return typeof value === 'boolean' ? String(value) : getRubyClassName(value)
}

const content: AttributeKind<string | Uint8Array> = {
  bytes: true,
  parse(value) {
    if (typeof value === 'string') return value
    if (value instanceof Binary) return value.bytes
    return failMunging('content', value, `no implicit conversion of ${describeClass(value)} into String`)
  },
}

const source = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  const local = toFileUrl(given)
  if (local !== undefined) return local
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(given) ?? []
  if (scheme === undefined) failWithMessage(`Cannot use relative URLs '${given}'`)
  if (!rest?.startsWith('/')) failWithMessage(`Cannot use opaque URLs '${given}'`)
  const type = scheme.toLowerCase()
  if (!['file', 'puppet', 'http', 'https'].includes(type))
    failWithMessage(`Cannot use URLs of type '${type}' as source for fileserving`)
  return trimTrailing(given, '/')
})

/** The path of a title. The root of a drive keeps its slash. Puppet: type/file.rb, `title_patterns`. */
function trimTitle(title: string): string {
  const path = trimTrailingSlashes(title)
  return path.endsWith(':') && path !== title ? `${path}/` : path
}

/** A user or group, by name or ID. */
export const createOwnerKind = (kind: 'user' | 'group') =>
  createParsedKind((value: Value): string | number => {
    const given = toPlainValue(value)
    if (given === '' && kind === 'group') failWithMessage(`Invalid ${kind} name '${inspectPlainValue(given)}'`)
    if (typeof given === 'number') return Math.trunc(given)
    const id = parseStrictInteger(String(given))
    return id === undefined ? String(given) : Number(id)
  })

const createReadOnlyKind = (name: string) => createParsedKind((): string => failWithFormError(`${name} is read-only`))

/** The resource type `file`: files, directories and symbolic links. */
export const fileType = defineType('file', {
  doc: 'Manages files, including their content, ownership, and permissions.',
  features: { manages_symlinks: 'The provider can manage symbolic links.' },
  fromTitle: (title) => ({ path: trimTitle(title) }),
  attributes: {
    path: defineNamevar(absolutePath, 'The absolute path of the file.'),
    ensure: defineProperty(
      ensure,
      'The state of the file: present, absent, file, directory, link, or the target of a link.',
    ),
    backup: defineParameter(
      backup,
      'The backup of replaced content: false, a suffix that begins with a dot, or the name of a filebucket.',
      {
        default: false,
      },
    ),
    recurse: defineParameter(
      recurse,
      'If true, the contents of a directory are managed; `remote` manages only files of the source.',
    ),
    recurselimit: defineParameter(
      createParsedKind((value: Value) => Number(createPatternKind(/^[0-9]+$/).parse(value))),
      'The maximum depth of recursion.',
    ),
    max_files: defineParameter(
      maxFiles,
      'The maximum number of files in a recursion; 0 only warns, -1 disables the check.',
      {
        default: 0,
      },
    ),
    replace: defineParameter(booleanKind, 'If false, an existing file is not changed.', { default: true }),
    force: defineParameter(booleanKind, 'If true, directories may be replaced or removed.', { default: false }),
    ignore: defineParameter(createListKind(textKind), 'Glob patterns of names that recursion skips.'),
    links: defineParameter(
      createEnumKind('follow', 'manage'),
      '`manage` manages symbolic links themselves, `follow` their targets.',
      {
        default: 'manage',
      },
    ),
    purge: defineParameter(booleanKind, 'If true, recursion removes unmanaged files.', { default: false }),
    sourceselect: defineParameter(
      createEnumKind('first', 'all'),
      'The sources of a directory: the first existing one, or all combined.',
      {
        default: 'first',
      },
    ),
    show_diff: defineParameter(booleanKind, 'If true, differences of content are shown.', { default: true }),
    staging_location: defineParameter(
      absolutePath,
      'Directory of the temporary file that `validate_cmd` checks; by default the directory of the file.',
    ),
    validate_cmd: defineParameter(
      textKind,
      'A command that validates a new file before it replaces the old file; `%` is its path.',
    ),
    validate_replacement: defineParameter(textKind, 'The placeholder for the path in `validate_cmd`.', {
      default: '%',
    }),
    checksum: defineParameter(createEnumKind(...checksumTypes), 'The checksum algorithm that compares contents.'),
    content: defineProperty(content, 'The content, a String or a Binary.'),
    source: defineParameter(
      createListKind(source),
      'The source of the content: puppet, file or http URLs, or paths; the first existing one is used.',
    ),
    source_permissions: defineParameter(
      createEnumKind('use', 'use_when_creating', 'ignore'),
      'The use of the owner, group and mode of the source.',
      {
        default: 'ignore',
      },
    ),
    checksum_value: defineProperty(textKind, "The checksum of the source's content."),
    target: defineProperty(textKind, 'The target of a symbolic link.'),
    owner: defineProperty(createOwnerKind('user'), 'The owner of the file: a name or a UID.'),
    group: defineProperty(createOwnerKind('group'), 'The group of the file: a name or a GID.'),
    mode: defineProperty(mode, 'The permissions in octal or symbolic notation, as a string.'),
    type: defineProperty(createReadOnlyKind('type'), 'Read-only: the type of the file.'),
    seluser: defineProperty(textKind, "The user of the file's SELinux context."),
    selrole: defineProperty(textKind, "The role of the file's SELinux context."),
    seltype: defineProperty(textKind, "The type of the file's SELinux context."),
    selrange: defineProperty(textKind, "The range of the file's SELinux context."),
    selinux_ignore_defaults: defineParameter(booleanKind, 'If true, default SELinux contexts are not applied.', {
      default: false,
    }),
    ctime: defineProperty(
      createReadOnlyKind('ctime'),
      'Read-only: the time of the last change of content, owner or permissions.',
    ),
    mtime: defineProperty(createReadOnlyKind('mtime'), 'Read-only: the time of the last change of content.'),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  autorequire: {
    file: (resource, catalog) => [
      listParentPaths(resource.name).find((path) => catalog.has('file', path)),
      resource.get('target'),
      ...(resource.get('source') ?? []).map((each) => (/^file:/i.test(each) ? getLocalSourcePath(each) : undefined)),
    ],
    user: (resource) => [getOwnerName(resource.get('owner'))],
    group: (resource) => [getOwnerName(resource.get('group'))],
  },
  sensitiveWith: { content: ['ensure'], source: ['content', 'checksum_value', 'ensure'], ensure: ['target'] },
  complete(resource) {
    if (isChecksumContent(resource.get('content')) && !resource.has('source'))
      resource.warnings.push(formatChecksumContentWarning(resource))
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
  validate: (resource) => validateFile((name) => resource.value(name)),
  finish(resource, catalog) {
    const bucket = resource.get('backup')
    if (bucket === undefined || bucket === false || bucket.startsWith('.') || bucket === 'puppet') return
    if (catalog.has('filebucket', bucket)) return
    failWithMessage(resource.withoutSecrets(`Could not find filebucket ${bucket} specified in backup`))
  },
})

function validateFile(get: (name: string) => unknown): void {
  const creators = ['content', 'source', 'target'].filter((name) => get(name) !== undefined)
  if (creators.length > 1) failWithFormError('You cannot specify more than one of content, source, target')
  if (get('source') === undefined && get('recurse') === 'remote')
    failWithFormError('You cannot specify a remote recursion without a source')
  const checksum = String(get('checksum'))
  const sum = get('checksum_value')
  const type = checksum === 'undefined' ? 'sha256' : checksum
  const length = sumLengths[type.replace('lite', '')]
  const isValid = type === 'etag' ? getEtagDigest(String(sum)) !== undefined : String(sum).length === length
  if (sum !== undefined && (length !== undefined || type === 'etag') && !(isValid && /^[0-9a-f]+$/i.test(String(sum))))
    failWithMessage(`Checksum value '${String(sum)}' is not a valid checksum type ${type}`)
  if (checksum === 'none' && get('source') !== undefined)
    failWithFormError("You cannot specify source when using checksum 'none'")
  if (sourceOnly.includes(checksum) && get('content') !== undefined)
    failWithMessage(`You cannot specify content when using checksum '${checksum}'`)
}

function getOwnerName(owner: string | number | undefined): string | undefined {
  return typeof owner === 'string' ? owner : undefined
}

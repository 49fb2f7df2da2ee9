import { throwIssue } from '../../../base/issue.ts'
import { trimTrailingSlashes } from '../../../base/text/trailing-characters.ts'
import type { Value } from '../../../language/values/value.ts'
import { listParentPaths } from '../../../machine/windows/machine-path.ts'
import {
  type AttributeKind,
  addAliases,
  anyKind,
  coercedBoolean,
  createEnumKind,
  createParsedKind,
  inspectPlainValue,
  textKind,
  toPlainText,
  toPlainValue,
} from '../attribute-kinds.ts'
import { failWithFormError, failWithMessage, issues } from '../issues.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

/** A field of fstab, which cannot contain whitespace. */
const createFieldKind = (name: string) =>
  createParsedKind((value: Value): string => {
    const given = toPlainText(value)
    if (/\s/.test(given)) failWithMessage(`${name} must not contain whitespace: ${given}`)
    if (given === '') failWithFormError(`${name} must not be an empty string`)
    return given
  })

const dump = createParsedKind((value: Value) => {
  const given = toPlainValue(value)
  if (!/[01]/.test(String(given)))
    throwIssue(issues.INVALID_VALUE, { value: inspectPlainValue(given), valid: 'Valid values match /(0|1)/.' })
  return given
})

const atBoot: AttributeKind<string> = { munges: true, parse: (value) => (coercedBoolean.parse(value) ? 'yes' : 'no') }

const getDefaultWhenManaged = (resource: ManagedResource) => (resource.properties().length > 0 ? 0 : undefined)

/** The resource type `mount`: file systems in fstab, and their mounts. */
export const mount = defineType('mount', {
  doc: 'Manages mounted filesystems, including putting mount information into the mount table.',
  features: { refreshable: 'The provider can remount the filesystem.' },
  refreshesItself: true,
  attributes: {
    ensure: defineProperty(
      addAliases(createEnumKind('defined', 'unmounted', 'absent', 'mounted'), { present: 'defined' }),
      'defined (or present) in the table, mounted or not; unmounted; absent; or mounted.',
    ),
    device: defineProperty(textKind, 'The device to mount, or its equivalent, such as a network path.'),
    blockdevice: defineProperty(createFieldKind('blockdevice'), 'The device to check (Solaris).'),
    fstype: defineProperty(createFieldKind('fstype'), 'The type of the file system.'),
    options: defineProperty(createFieldKind('options'), 'The mount options, as in the mount table.'),
    pass: defineProperty(anyKind, 'The pass in which the file system is checked.', { default: getDefaultWhenManaged }),
    atboot: defineProperty(atBoot, 'If true, the file system is mounted at boot, if the mount table supports it.'),
    dump: defineProperty(dump, 'The dump field of the mount table: 0 or 1.', { default: getDefaultWhenManaged }),
    target: defineProperty(textKind, 'The path of the mount table.', { default: '/etc/fstab' }),
    name: defineNamevar(
      createParsedKind((value: Value) => trimTrailingSlashes(toPlainText(value))),
      'The mount point.',
    ),
    remounts: defineParameter(
      createEnumKind('true', 'false'),
      'If false, a change unmounts and mounts the file system instead of remounting it.',
      {
        default: 'true',
      },
    ),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  autorequire: { mount: (resource) => listParentPaths(resource.name).reverse() },
  autobefore: {
    file: (resource, catalog) =>
      catalog.ofType('file').flatMap(({ name }) => (name.startsWith(`${resource.name}/`) ? [name] : [])),
  },
})

/** What the compiler has to know of a type that is not written in Puppet's language. */
export interface NativeType {
  readonly kind: 'native'
  /** Lower case. */
  readonly name: string
  /** Its parameters and properties; `undefined` where they are not known, so that any is taken. */
  readonly attributes: ReadonlySet<string> | undefined
  /** What identifies a resource; one is dropped from the catalog where it repeats the title. */
  readonly namevars: readonly string[]
  /** Whether two resources with the same identity are the same thing: two `exec` of one command are not. */
  readonly isomorphic: boolean
}

/** Parameters of every resource. */
export const metaparameters = [
  'noop',
  'schedule',
  'audit',
  'loglevel',
  'alias',
  'tag',
  'require',
  'subscribe',
  'before',
  'notify',
  'stage',
] as const

/** Metaparameters that name other resources. */
export const relationshipParameters: ReadonlySet<string> = new Set(['require', 'subscribe', 'before', 'notify'])

const metaparameterNames: ReadonlySet<string> = new Set(metaparameters)

/** Whether every resource takes the parameter. */
export function isMetaparameter(name: string): boolean {
  return metaparameterNames.has(name)
}

/** Whether a native type takes the parameter. */
export function takesParameter(type: NativeType, name: string): boolean {
  return name === 'name' || isMetaparameter(name) || (type.attributes?.has(name) ?? true)
}

/** The identifying parameter, where it is one; for the others Puppet speaks of `name`. */
export function namevarOf(type: NativeType): string {
  return type.namevars.length === 1 ? type.namevars[0]! : 'name'
}

/** A type that a module brings in Ruby, of which its text shows only what identifies a resource. */
export function rubyType(name: string, source: string): NativeType {
  return {
    kind: 'native',
    name,
    attributes: undefined,
    namevars: namevarsIn(source),
    isomorphic: !/@isomorphic\s*=\s*false/.test(source),
  }
}

/** Found by how such declarations are written: `newparam(:path, namevar: true)`, or `isnamevar` in the block. */
function namevarsIn(source: string): string[] {
  const declarations = source.split(/\bnew(?:param|property)\s*\(?\s*:/).slice(1)
  const namevars = declarations
    .filter((text) => /^\w+\s*,[^\n]*\bnamevar\b/.test(text) || /^\s*isnamevar\b/m.test(text))
    .map((text) => /^\w+/.exec(text)![0])
  if (namevars.length > 0) return namevars
  const api = /^\s*(\w+):\s*\{[^{}]*behaviou?r:\s*:namevar/m.exec(source)
  return [api?.[1] ?? 'name']
}

function native(
  name: string,
  attributes: string,
  more: Partial<Pick<NativeType, 'namevars' | 'isomorphic'>> = {},
): NativeType {
  return {
    kind: 'native',
    name,
    attributes: new Set(attributes.split(/\s+/)),
    namevars: ['name'],
    isomorphic: true,
    ...more,
  }
}

/** The types that Puppet has itself; the others come in modules. Puppet: `puppet describe --list`, 8. */
export const nativeTypes: ReadonlyMap<string, NativeType> = new Map(
  [
    native('component', 'name'),
    native(
      'exec',
      `command provider returns path user group cwd logoutput refresh environment umask timeout tries try_sleep
      refreshonly creates unless onlyif`,
      { namevars: ['command'], isomorphic: false },
    ),
    native(
      'file',
      `path provider ensure content checksum_value target owner group mode type seluser selrole seltype selrange ctime
      mtime backup recurse recurselimit max_files replace force ignore links purge sourceselect show_diff
      staging_location validate_cmd validate_replacement checksum source source_permissions selinux_ignore_defaults`,
      { namevars: ['path'] },
    ),
    native('filebucket', 'name server port path'),
    native(
      'group',
      `name provider ensure gid members attributes auth_membership allowdupe ia_load_module attribute_membership system
      forcelocal`,
    ),
    native('notify', 'name message withpath'),
    native(
      'package',
      `name provider command ensure package_settings flavor mark source instance status adminfile responsefile
      configfiles category platform root vendor description allowcdrom enable_only install_only install_options
      uninstall_options allow_virtual reinstall_on_refresh`,
      { namevars: ['name', 'provider', 'command'] },
    ),
    native('resources', 'name purge unless_system_user unless_uid'),
    native('schedule', 'name range periodmatch period repeat weekday'),
    native(
      'service',
      `name provider ensure enable logonaccount flags logonpassword binary hasstatus path pattern restart start status
      stop control hasrestart manifest timeout`,
    ),
    native('stage', 'name'),
    native('tidy', 'path recurse max_files matches backup age size type rmdirs', {
      namevars: ['path'],
      isomorphic: false,
    }),
    native(
      'user',
      `name provider ensure home uid gid comment shell password password_min_age password_max_age password_warn_days
      groups expiry roles auths profiles keys project attributes salt iterations loginclass membership system allowdupe
      managehome role_membership auth_membership profile_membership key_membership ia_load_module attribute_membership
      forcelocal purge_ssh_keys`,
    ),
    native('whit', 'name'),
  ].map((type) => [type.name, type]),
)

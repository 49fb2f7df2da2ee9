import { Regexp } from '../../language/values/regexp.ts'
import type { TypeShape } from '../../ruby/types.ts'

/** Properties of a built-in or Ruby type that the compiler needs. */
export interface NativeType extends TypeShape {
  readonly kind: 'native'
  /** Name in lower case. */
  readonly name: string
}

/** Resource types that modules define in Ruby. */
export interface ModuleTypes {
  find(name: string): NativeType | undefined
}

/** Parameters that every resource accepts. */
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

/** Metaparameters whose values are references to other resources. */
export const relationshipParameters: ReadonlySet<string> = new Set(['require', 'subscribe', 'before', 'notify'])

const metaparameterNames: ReadonlySet<string> = new Set(metaparameters)

/** True if the name belongs to a metaparameter. */
export function isMetaparameter(name: string): boolean {
  return metaparameterNames.has(name)
}

/** True if a native type accepts the parameter: `name`, a metaparameter, or a parameter of the type. */
export function takesParameter(type: NativeType, name: string): boolean {
  return name === 'name' || isMetaparameter(name) || type.parameters.has(name) || type.properties.has(name)
}

/** Returns the namevar of a type; `name` if the type has several namevars, as in Puppet. */
export function namevarOf(type: NativeType): string {
  return type.namevars.length === 1 ? type.namevars[0]! : 'name'
}

/** Puppet's built-in types; all others come from modules. Puppet 8: `puppet describe --list`. */
export const nativeTypes: ReadonlyMap<string, NativeType> = new Map(
  [
    native('component', 'name', ''),
    native(
      'exec',
      `command path user group cwd logoutput refresh environment umask timeout tries try_sleep refreshonly
      creates unless onlyif provider`,
      'returns',
      { namevars: ['command'], isomorphic: false },
    ),
    native(
      'file',
      `path backup recurse recurselimit max_files replace force ignore links purge sourceselect show_diff
      staging_location validate_cmd validate_replacement provider checksum source source_permissions
      selinux_ignore_defaults`,
      `ensure content checksum_value target owner group mode type seluser selrole seltype selrange ctime mtime`,
      { namevars: ['path'], titlePatterns: [pattern('(?m-ix:^(/|.+:/|.*[^/])/*\\Z)', 'path')] },
    ),
    native('filebucket', 'name server port path', ''),
    native(
      'group',
      'auth_membership name allowdupe ia_load_module attribute_membership system forcelocal provider',
      'ensure gid members attributes',
    ),
    native('notify', 'withpath name', 'message'),
    native(
      'package',
      `name provider command source instance status adminfile responsefile configfiles category platform root
      vendor description allowcdrom enable_only install_only install_options uninstall_options allow_virtual
      reinstall_on_refresh`,
      'ensure package_settings flavor mark',
      { namevars: ['name', 'provider', 'command'], titlePatterns: [pattern('(?m-ix:(.*))', 'name')] },
    ),
    native('resources', 'name purge unless_system_user unless_uid', ''),
    native('schedule', 'name range periodmatch period repeat weekday', ''),
    native(
      'service',
      `logonpassword binary hasstatus name path pattern restart start status stop control hasrestart manifest
      timeout provider`,
      'ensure enable logonaccount flags',
    ),
    native('stage', 'name', ''),
    native('tidy', 'path recurse max_files matches backup age size type rmdirs', '', {
      namevars: ['path'],
      isomorphic: false,
    }),
    native(
      'user',
      `name membership system allowdupe managehome role_membership auth_membership profile_membership
      key_membership ia_load_module attribute_membership forcelocal purge_ssh_keys provider`,
      `ensure home uid gid comment shell password password_min_age password_max_age password_warn_days groups
      expiry roles auths profiles keys project attributes salt iterations loginclass`,
    ),
    native('whit', 'name', ''),
  ].map((type) => [type.name, type]),
)

/** Types of the modules that Puppet bundles. They are known even if the environment does not contain these modules. */
export const bundledTypes: ReadonlyMap<string, NativeType> = new Map(
  [
    native(
      'augeas',
      'name context onlyif changes root load_path force type_check lens incl show_diff provider',
      'returns',
    ),
    native(
      'cron',
      'name provider',
      `ensure command special minute hour weekday month monthday environment user target`,
    ),
    native('host', 'name provider', 'ensure ip host_aliases comment target'),
    native('mailalias', 'name provider', 'ensure recipient file target'),
    native('mount', 'name remounts provider', 'ensure device blockdevice fstype options pass atboot dump target'),
    native('selboolean', 'name persistent provider', 'value'),
    native('selmodule', 'name selmoduledir selmodulepath provider', 'ensure syncversion'),
    native('ssh_authorized_key', 'name drop_privileges provider', 'ensure type key user target options'),
    native('sshkey', 'type name provider', 'ensure key host_aliases target', {
      namevars: ['type', 'name'],
      titlePatterns: [
        { pattern: new Regexp('^(.*?)@(.*)$'), parts: [whole('name'), whole('type')] },
        pattern('^([^@]+)$', 'name'),
      ],
    }),
    native(
      'yumrepo',
      'name target provider',
      `ensure descr mirrorlist baseurl enabled gpgcheck payload_gpgcheck repo_gpgcheck gpgkey mirrorlist_expire include
      exclude gpgcakey includepkgs enablegroups module_hotfixes failovermethod keepalive retries http_caching timeout
      metadata_expire protect priority minrate throttle bandwidth cost proxy proxy_username proxy_password s3_enabled
      sslcacert sslverify sslclientcert sslclientkey metalink skip_if_unavailable assumeyes deltarpm_percentage
      deltarpm_metadata_percentage username password`,
    ),
  ].map((type) => [type.name, type]),
)

function native(
  name: string,
  parameters: string,
  properties: string,
  more: Partial<Pick<NativeType, 'namevars' | 'isomorphic' | 'titlePatterns'>> = {},
): NativeType {
  return {
    kind: 'native',
    name,
    parameters: words(parameters),
    properties: words(properties),
    namevars: ['name'],
    isomorphic: true,
    values: new Map(),
    titlePatterns: undefined,
    ...more,
  }
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''))
}

function pattern(source: string, attribute: string) {
  return { pattern: new Regexp(source), parts: [whole(attribute)] }
}

function whole(attribute: string) {
  return { attribute, changed: false }
}

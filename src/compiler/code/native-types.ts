import { Regexp } from '../../language/values/regexp.ts'
import type { TypeShape } from '../../ruby/resource-types.ts'

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
export const nativeMetaparameters = [
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

const metaparameterNames: ReadonlySet<string> = new Set(nativeMetaparameters)

/** True if the name belongs to a metaparameter. */
export function isMetaparameter(name: string): boolean {
  return metaparameterNames.has(name)
}

/** True if a native type accepts the parameter: `name`, a metaparameter, or a parameter of the type. */
export function acceptsParameter(type: NativeType, name: string): boolean {
  return name === 'name' || isMetaparameter(name) || type.parameters.has(name) || type.properties.has(name)
}

/** Returns the namevar of a type; `name` if the type has several namevars, as in Puppet. */
export function getPrimaryNamevar(type: NativeType): string {
  return type.namevars.length === 1 ? type.namevars[0]! : 'name'
}

/** Puppet's built-in types; all others come from modules. Puppet 8: `puppet describe --list`. */
export const nativeTypes: ReadonlyMap<string, NativeType> = new Map(
  [
    defineNativeType('component', 'name', ''),
    defineNativeType(
      'exec',
      `command path user group cwd logoutput refresh environment umask timeout tries try_sleep refreshonly
      creates unless onlyif provider`,
      'returns',
      { namevars: ['command'], isomorphic: false },
    ),
    defineNativeType(
      'file',
      `path backup recurse recurselimit max_files replace force ignore links purge sourceselect show_diff
      staging_location validate_cmd validate_replacement provider checksum source source_permissions
      selinux_ignore_defaults`,
      `ensure content checksum_value target owner group mode type seluser selrole seltype selrange ctime mtime`,
      { namevars: ['path'], titlePatterns: [createTitlePattern('(?m-ix:^(/|.+:/|.*[^/])/*\\Z)', 'path')] },
    ),
    defineNativeType('filebucket', 'name server port path', ''),
    defineNativeType(
      'group',
      'auth_membership name allowdupe ia_load_module attribute_membership system forcelocal provider',
      'ensure gid members attributes',
    ),
    defineNativeType('notify', 'withpath name', 'message'),
    defineNativeType(
      'package',
      `name provider command source instance status adminfile responsefile configfiles category platform root
      vendor description allowcdrom enable_only install_only environment install_options uninstall_options allow_virtual
      reinstall_on_refresh`,
      'ensure package_settings flavor mark',
      { namevars: ['name', 'provider', 'command'], titlePatterns: [createTitlePattern('(?m-ix:(.*))', 'name')] },
    ),
    defineNativeType('resources', 'name purge unless_system_user unless_uid', ''),
    defineNativeType('schedule', 'name range periodmatch period repeat weekday', ''),
    defineNativeType(
      'service',
      `logonpassword binary hasstatus name path pattern restart start status stop control hasrestart manifest
      timeout provider`,
      'ensure enable logonaccount flags',
    ),
    defineNativeType('stage', 'name', ''),
    defineNativeType('tidy', 'path recurse max_files matches backup age size type rmdirs', '', {
      namevars: ['path'],
      isomorphic: false,
    }),
    defineNativeType(
      'user',
      `name membership system allowdupe managehome role_membership auth_membership profile_membership
      key_membership ia_load_module attribute_membership forcelocal purge_ssh_keys provider`,
      `ensure home uid gid comment shell password password_min_age password_max_age password_warn_days groups
      expiry roles auths profiles keys project attributes salt iterations loginclass`,
    ),
    defineNativeType('whit', 'name', ''),
  ].map((type) => [type.name, type]),
)

/** Types of the modules that Puppet bundles. They are known even if the environment does not contain these modules. */
export const bundledTypes: ReadonlyMap<string, NativeType> = new Map(
  [
    defineNativeType(
      'augeas',
      'name context onlyif changes root load_path force type_check lens incl show_diff provider',
      'returns',
    ),
    defineNativeType(
      'cron',
      'name provider',
      `ensure command special minute hour weekday month monthday environment user target`,
    ),
    defineNativeType('host', 'name provider', 'ensure ip host_aliases comment target'),
    defineNativeType('mailalias', 'name provider', 'ensure recipient file target'),
    defineNativeType(
      'mount',
      'name remounts provider',
      'ensure device blockdevice fstype options pass atboot dump target',
    ),
    defineNativeType('selboolean', 'name persistent provider', 'value'),
    defineNativeType('selmodule', 'name selmoduledir selmodulepath provider', 'ensure syncversion'),
    defineNativeType('ssh_authorized_key', 'name drop_privileges provider', 'ensure type key user target options'),
    defineNativeType('sshkey', 'type name provider', 'ensure key host_aliases target', {
      namevars: ['type', 'name'],
      titlePatterns: [
        { pattern: new Regexp('^(.*?)@(.*)$'), parts: [createTitlePart('name'), createTitlePart('type')] },
        createTitlePattern('^([^@]+)$', 'name'),
      ],
    }),
    defineNativeType(
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

function defineNativeType(
  name: string,
  parameters: string,
  properties: string,
  more: Partial<Pick<NativeType, 'namevars' | 'isomorphic' | 'titlePatterns'>> = {},
): NativeType {
  return {
    kind: 'native',
    name,
    parameters: splitWords(parameters),
    properties: splitWords(properties),
    namevars: ['name'],
    isomorphic: true,
    values: new Map(),
    titlePatterns: undefined,
    ...more,
  }
}

function splitWords(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''))
}

function createTitlePattern(source: string, attribute: string) {
  return { pattern: new Regexp(source), parts: [createTitlePart(attribute)] }
}

function createTitlePart(attribute: string) {
  return { attribute, changed: false }
}

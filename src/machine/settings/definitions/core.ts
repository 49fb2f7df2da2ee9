import { type SyslogFacility, syslogFacilities } from '../../../base/syslog-facilities.ts'
import { compatibilities } from '../compatibility.ts'
import { defineBoolean, defineChoice, defineDirectory, defineFile, defineSearchPath, defineText } from '../kinds.ts'
import { defineCertname, defineLogDestinations } from './validated-kinds.ts'

/** Settings that every command uses: paths, names of this host, log output. */
export const coreSettings = {
  confdir: defineDirectory({
    doc: 'Configuration directory. Default: /etc/plumb for root, ~/.plumb/etc for other users. The environment variable PLUMB_CONFDIR overrides the default.',
  }),
  vardir: defineDirectory({
    doc: 'State directory. Default: /var/lib/plumb for root, ~/.plumb/var for other users. The environment variable PLUMB_VARDIR overrides the default.',
  }),
  codedir: defineDirectory({ default: '$confdir/code', doc: 'Directory of Puppet code, for directory environments.' }),
  rundir: defineDirectory({ default: '$vardir/run', doc: 'Directory of PID files and sockets.' }),
  logdir: defineDirectory({ default: '$vardir/log', doc: 'Directory of log files.' }),
  statedir: defineDirectory({
    default: '$vardir/state',
    doc: 'Directory of the state that the agent keeps between runs.',
  }),
  publicdir: defineDirectory({ default: '$vardir/public', doc: 'Directory of files that monitoring tools may read.' }),
  config: defineFile({ default: '$confdir/puppet.conf', doc: 'Path of the configuration file.' }),
  certname: defineCertname({
    doc: 'Name of this host in its certificate, in lower case. Default: the fully qualified domain name.',
  }),
  environment: defineText({
    takes: 'an environment name',
    default: 'production',
    doc: 'Environment that the agent requests from the server, or in which a command compiles code.',
  }),
  environmentpath: defineSearchPath({
    default: '$codedir/environments',
    doc: 'Directories that contain directory environments.',
  }),
  basemodulepath: defineSearchPath({
    default: '$codedir/modules',
    doc: 'Module directories that are available in every environment.',
  }),
  modulepath: defineSearchPath({
    doc: 'Module directories, in order of precedence. Default: the directories that the environment sets.',
  }),
  manifest: defineFile({
    doc: 'Main manifest: a file or a directory. Default: the directory `manifests` of the environment.',
  }),
  hiera_config: defineFile({
    default: '$confdir/hiera.yaml',
    doc: 'Configuration of the global Hiera layer, which has precedence over all environments.',
  }),
  fileserverconfig: defineFile({
    default: '$confdir/fileserver.conf',
    doc: 'File of custom file-server mounts, which are independent of environments. Each mount is a line `[NAME]`, followed by a line `path DIRECTORY`.',
  }),
  route_file: defineFile({
    default: '$confdir/routes.yaml',
    doc: 'File that sets the termini of indirections for each application.',
  }),
  compatibility: defineChoice(...compatibilities)({
    default: 'puppet8',
    doc: 'Version whose defaults of settings apply, and whose facts are added. `openvox8` and `openvox9` add the facts `implementation` and `serverimplementation`. See docs/compatibility.md.',
  }),
  strict: defineChoice(
    'off',
    'warning',
    'error',
  )({
    default: 'error',
    inVersion: { puppet7: 'warning' },
    doc: 'Severity of messages about questionable code: `off` (no message), `warning` or `error`. Default as in Puppet 8: `error`.',
  }),
  strict_variables: defineBoolean({
    default: 'true',
    inVersion: { puppet7: 'false' },
    doc: 'Treat a reference to an unknown variable as an error. Default as in Puppet 8: `true`.',
  }),
  color: defineChoice(
    'ansi',
    'false',
    'true',
    'html',
  )({
    default: 'ansi',
    doc: 'Colors in terminal output: `ansi` or `true` for ANSI escape codes, `html` for HTML, or `false` for no colors.',
  }),
  log_level: defineChoice(
    'debug',
    'info',
    'notice',
    'warning',
    'err',
    'alert',
    'emerg',
    'crit',
  )({
    default: 'notice',
    live: true,
    doc: 'Lowest severity of the messages that are logged.',
  }),
  logdest: defineLogDestinations({
    doc: 'Log destinations, separated by commas: `console`, `syslog`, `journald`, `eventlog` (Windows) or the path of a file. Log files whose names end in .json or .jsonl contain JSON. A server logs only to `console` or to a file.',
  }),
  syslogfacility: defineChoice(...(Object.keys(syslogFacilities) as SyslogFacility[]))({
    default: 'daemon',
    doc: 'Syslog facility of log messages.',
  }),
  trace: defineBoolean({ default: 'false', doc: 'Print stack traces of internal errors.' }),
  noop: defineBoolean({ default: 'false', doc: 'Report the changes that a run would make, without making them.' }),
  user: defineText({
    takes: 'a user name',
    default: 'puppet',
    doc: 'Owner of the directory of the environment `production`, which the first command run by root creates. The setting does not change the user of a process.',
  }),
  group: defineText({
    takes: 'a group name',
    default: 'puppet',
    doc: 'Group of the directory of the environment `production`, which the first command run by root creates. The setting does not change the groups of a process.',
  }),
  disable_i18n: defineBoolean({
    default: 'true',
    doc: 'Accepted for compatibility, without effect: messages are always in English.',
  }),
  digest_algorithm: defineChoice(
    'sha256',
    'sha384',
    'sha512',
    'sha224',
    'md5',
  )({ default: 'sha256', doc: 'Algorithm of file checksums.' }),
} as const

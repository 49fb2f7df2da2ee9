import { type SyslogFacility, syslogFacilities } from '../../../base/syslog-facilities.ts'
import { boolean, directory, file, oneOf, searchPath, text } from '../kinds.ts'
import { certname, logDestinations } from './checks.ts'

/** Settings that every command reads: paths, names of this host, formats of messages. */
export const core = {
  confdir: directory({ doc: 'Configuration. /etc/plumb for root, ~/.plumb/etc for others; PLUMB_CONFDIR moves it.' }),
  vardir: directory({ doc: 'State. /var/lib/plumb for root, ~/.plumb/var for others; PLUMB_VARDIR moves it.' }),
  codedir: directory({ default: '$confdir/code', doc: 'Puppet code, for directory environments.' }),
  rundir: directory({ default: '$vardir/run', doc: 'Process ids and sockets.' }),
  logdir: directory({ default: '$vardir/log', doc: 'Log files.' }),
  statedir: directory({ default: '$vardir/state', doc: 'State between runs.' }),
  publicdir: directory({ default: '$vardir/public', doc: 'What monitoring may read.' }),
  config: file({ default: '$confdir/puppet.conf', doc: 'The configuration file.' }),
  certname: certname({ doc: 'The name in our certificate: lower case. The fully qualified domain name by default.' }),
  environment: text({
    takes: 'the name of an environment',
    default: 'production',
    doc: 'The environment to ask for, or to compile in.',
  }),
  environmentpath: searchPath({ default: '$codedir/environments', doc: 'Where directory environments are.' }),
  basemodulepath: searchPath({ default: '$codedir/modules', doc: 'Modules that every environment has.' }),
  modulepath: searchPath({ doc: 'Modules, in order of precedence. The environment decides by default.' }),
  manifest: file({ doc: "The main manifest. The environment's manifests folder by default." }),
  hiera_config: file({ default: '$confdir/hiera.yaml', doc: 'Hiera data above all environments.' }),
  fileserverconfig: file({
    default: '$confdir/fileserver.conf',
    doc: 'Mounts of files outside of all environments, by name: a line [NAME], and below it a line: path FOLDER.',
  }),
  route_file: file({ default: '$confdir/routes.yaml', doc: 'Termini of indirections, by application.' }),
  strict: oneOf(
    'off',
    'warning',
    'error',
  )({ default: 'error', doc: 'What to make of doubtful code. As Puppet 8: error.' }),
  strict_variables: boolean({ default: 'true', doc: 'Whether an unknown variable is an error. As Puppet 8: true.' }),
  color: oneOf(
    'ansi',
    'false',
    'true',
    'html',
  )({ default: 'ansi', doc: 'Whether to colour what is said on a terminal.' }),
  log_level: oneOf(
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
    doc: 'The least that is logged.',
  }),
  logdest: logDestinations({
    doc: 'Where logs go: console, syslog, journald, the path of a file (JSON, where it ends in .json or .jsonl), or several separated by commas. Of a server: console or a file.',
  }),
  syslogfacility: oneOf(...(Object.keys(syslogFacilities) as SyslogFacility[]))({
    default: 'daemon',
    doc: 'The part of syslog that logs go to.',
  }),
  trace: boolean({ default: 'false', doc: 'Whether errors of ours print where in the program they arose.' }),
  noop: boolean({ default: 'false', doc: 'Whether to say what would change without changing it.' }),
  user: text({
    takes: "a user's name",
    default: 'puppet',
    doc: 'Owner of the directory of the environment production that a first run by root creates. Every command runs as the user who starts it.',
  }),
  group: text({
    takes: "a group's name",
    default: 'puppet',
    doc: 'Group of the directory of the environment production that a first run by root creates. Every command runs with the groups of the user who starts it.',
  }),
  disable_i18n: boolean({ default: 'true', doc: 'Taken for puppet.conf; messages are in English in any case.' }),
  digest_algorithm: oneOf('sha256', 'sha384', 'sha512', 'sha224', 'md5')({ default: 'sha256', doc: 'For checksums.' }),
} as const

import { type SyslogFacility, syslogFacilities } from '../../../base/syslog-facilities.ts'
import { boolean, directory, file, oneOf, searchPath, text } from '../kinds.ts'
import { certname, logDestinations } from './checks.ts'

/** Settings that every command uses: paths, names of this host, log output. */
export const core = {
  confdir: directory({
    doc: 'Configuration directory: /etc/plumb for root, ~/.plumb/etc for other users. The variable PLUMB_CONFDIR overrides it.',
  }),
  vardir: directory({
    doc: 'State directory: /var/lib/plumb for root, ~/.plumb/var for other users. The variable PLUMB_VARDIR overrides it.',
  }),
  codedir: directory({ default: '$confdir/code', doc: 'Directory of Puppet code, for directory environments.' }),
  rundir: directory({ default: '$vardir/run', doc: 'Directory of PID files and sockets.' }),
  logdir: directory({ default: '$vardir/log', doc: 'Directory of log files.' }),
  statedir: directory({ default: '$vardir/state', doc: 'Directory of state that is kept between agent runs.' }),
  publicdir: directory({ default: '$vardir/public', doc: 'Directory of files that monitoring tools may read.' }),
  config: file({ default: '$confdir/puppet.conf', doc: 'Path of the configuration file.' }),
  certname: certname({
    doc: 'Name of this host in its certificate, in lower case. Default: the fully qualified domain name.',
  }),
  environment: text({
    takes: 'an environment name',
    default: 'production',
    doc: 'Environment to request from the server, or to compile in.',
  }),
  environmentpath: searchPath({
    default: '$codedir/environments',
    doc: 'Directories that contain directory environments.',
  }),
  basemodulepath: searchPath({
    default: '$codedir/modules',
    doc: 'Module directories that are available in every environment.',
  }),
  modulepath: searchPath({
    doc: 'Module directories, in order of precedence. Default: the directories that the environment sets.',
  }),
  manifest: file({ doc: 'Main manifest: a file or a directory. Default: the directory manifests of the environment.' }),
  hiera_config: file({
    default: '$confdir/hiera.yaml',
    doc: 'Configuration of the global Hiera layer, which has precedence over all environments.',
  }),
  fileserverconfig: file({
    default: '$confdir/fileserver.conf',
    doc: 'File of custom file-server mounts, which are independent of environments: a line [NAME], followed by a line path DIRECTORY.',
  }),
  route_file: file({
    default: '$confdir/routes.yaml',
    doc: 'File that sets the termini of indirections for each application.',
  }),
  strict: oneOf(
    'off',
    'warning',
    'error',
  )({
    default: 'error',
    doc: 'Severity of questionable code: ignored, a warning or an error. Default as in Puppet 8: error.',
  }),
  strict_variables: boolean({
    default: 'true',
    doc: 'Treat a reference to an unknown variable as an error. Default as in Puppet 8: true.',
  }),
  color: oneOf(
    'ansi',
    'false',
    'true',
    'html',
  )({ default: 'ansi', doc: 'Colors in terminal output: ansi or true, html, or false for none.' }),
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
    doc: 'Lowest severity of the messages that are logged.',
  }),
  logdest: logDestinations({
    doc: 'Log destinations, separated by commas: console, syslog, journald or the path of a file. A file that ends in .json or .jsonl contains JSON. A server logs to console or to a file.',
  }),
  syslogfacility: oneOf(...(Object.keys(syslogFacilities) as SyslogFacility[]))({
    default: 'daemon',
    doc: 'Syslog facility of log messages.',
  }),
  trace: boolean({ default: 'false', doc: 'Print stack traces of internal errors.' }),
  noop: boolean({ default: 'false', doc: 'Report the changes that a run would make, without making them.' }),
  user: text({
    takes: 'a user name',
    default: 'puppet',
    doc: 'Owner of the directory of the environment production, which the first run by root creates. Every command runs as the user who starts it.',
  }),
  group: text({
    takes: 'a group name',
    default: 'puppet',
    doc: 'Group of the directory of the environment production, which the first run by root creates. Every command runs with the groups of the user who starts it.',
  }),
  disable_i18n: boolean({
    default: 'true',
    doc: 'Accepted for compatibility, without effect: messages are always in English.',
  }),
  digest_algorithm: oneOf(
    'sha256',
    'sha384',
    'sha512',
    'sha224',
    'md5',
  )({ default: 'sha256', doc: 'Algorithm of file checksums.' }),
} as const

import { recordedAnswers } from '../../../support/recorded-answers.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const programs = {
  crontab: `
    user=root
    if [ "$1" = -u ]; then user=$2; shift 2; fi
    case "$1" in
      -l) if [ -f "$f/tab.$user" ]; then cat "$f/tab.$user"; else echo "no crontab for $user" >&2; exit 1; fi ;;
      -) cat > "$f/tab.$user" ;;
    esac`,
}
const tab = `# mine
0 1 * * * /bin/unmanaged
# Puppet Name: job
A=1
30 4 * * 1-5 /bin/job  with % signs
# Puppet Name: daily
@daily /bin/daily
`
const job = (attributes: string, name = 'job'): ApplyCase => ({
  programs,
  files: { 'tab.root': tab },
  manifest: `cron { '${name}': ${attributes} }`,
})

situations(puppet, 'cron', ['cron_core'], {
  'a job that is right': job(
    "command => '/bin/job  with % signs', minute => 30, hour => 4, weekday => '1-5', environment => 'A=1'",
  ),
  'a job without its times': job("command => '/bin/job  with % signs'"),
  'minute of absent': job("command => '/bin/job  with % signs', minute => absent, hour => absent, weekday => absent"),
  'minutes as numbers and texts': job("command => '/bin/job', minute => [0, '15', '30-45']"),
  'a minute of 60': job("command => '/bin/job', minute => 60"),
  'a minute of a star and a step': job("command => '/bin/job', minute => '*/7'"),
  'a step of a range': job("command => '/bin/job', minute => '0-30/10', hour => '8-18/2'"),
  'a step of zero': job("command => '/bin/job', minute => '*/0'"),
  'a range that is turned round': job("command => '/bin/job', hour => '20-4'"),
  'a list in one text': job("command => '/bin/job', minute => '0,30'"),
  'an hour of 24': job("command => '/bin/job', hour => 24"),
  'an hour with leading zeros': job("command => '/bin/job', hour => '08', minute => '05'"),
  'a weekday of 7 and of 8': job("command => '/bin/job', weekday => 7"),
  'a weekday of 8': job("command => '/bin/job', weekday => 8"),
  'weekdays by name in each case': job("command => '/bin/job', weekday => ['Mon', 'tuesday', 'FRI']"),
  'a weekday of a name that is unknown': job("command => '/bin/job', weekday => 'Someday'"),
  'a range of names': job("command => '/bin/job', weekday => 'mon-fri'"),
  'months by name and number': job("command => '/bin/job', month => ['jan', 'December', 6]"),
  'a month of 13': job("command => '/bin/job', month => 13"),
  'a day of the month of 0': job("command => '/bin/job', monthday => 0"),
  'a day of the month of 31': job("command => '/bin/job', monthday => [1, 31]"),
  'special in each word': job("command => '/bin/job', special => 'midnight'"),
  'special of a word that is unknown': job("command => '/bin/job', special => 'sometimes'"),
  'special with a minute': job("command => '/bin/job', special => daily, minute => 5"),
  'special with an at sign': job("command => '/bin/job', special => '@daily'"),
  'special that goes': job("command => '/bin/daily', special => absent, minute => 0", 'daily'),
  'an environment of another value': job("command => '/bin/job  with % signs', environment => ['A=2', 'B=x y']"),
  'an environment that goes': job("command => '/bin/job  with % signs', environment => absent"),
  'an environment that is wrong': job("command => '/bin/job', environment => 'A'"),
  'an environment of no name': job("command => '/bin/job', environment => '=x'"),
  'a command with blanks at its ends': job("command => '  /bin/job  '"),
  'a command with a line break': job('command => "/bin/job\\n/bin/more"'),
  'a command with a return': job('command => "/bin/job\\r\\n"'),
  'no command': job('minute => 5', 'new'),
  'an empty command': job("command => ''", 'new'),
  absent: job('ensure => absent'),
  'absent of a job that is missing': job('ensure => absent', 'none'),
  'absent with a command': job("ensure => absent, command => '/bin/unmanaged', hour => 1, minute => 0", 'none'),
  'a name with signs': job("command => '/bin/x', minute => 1", 'a: b # c'),
  'a name with a line break': { programs, manifest: 'cron { "a\\nb": command => \'/bin/x\', minute => 1 }' },
  'a user who is unknown': job("command => '/bin/x', user => 'nobody-of-that-name'", 'x'),
  'another user': job("command => '/bin/x', user => 'daemon', minute => 3", 'x'),
  'a job by one name for two users': {
    programs,
    files: { 'tab.root': tab, 'tab.daemon': '# Puppet Name: job\n1 1 1 1 1 /bin/d\n' },
    manifest: "cron { 'job': command => '/bin/job  with % signs', user => 'daemon' }",
  },
  'a crontab that cannot be read': {
    programs: { crontab: 'echo "not allowed" >&2; exit 2' },
    manifest: "cron { 'x': command => '/bin/x', minute => 3 }",
  },
  noop: { ...job("command => '/bin/other', minute => 9, environment => 'Z=1'"), noop: true },
  'purge of what is not managed': {
    programs,
    files: { 'tab.root': tab },
    manifest: "cron { 'daily': command => '/bin/daily', special => daily } resources { 'cron': purge => true }",
  },
})

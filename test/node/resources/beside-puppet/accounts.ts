const users: readonly (readonly [name: string, uid: number, gid: number, home: string, shell: string])[] = [
  ['root', 0, 0, '/root', '/bin/bash'],
  ['daemon', 1, 1, '/usr/sbin', '/usr/sbin/nologin'],
  ['bin', 2, 2, '/bin', '/usr/sbin/nologin'],
  ['sys', 3, 3, '/dev', '/usr/sbin/nologin'],
  ['sync', 4, 65534, '/bin', '/bin/sync'],
  ['games', 5, 60, '/usr/games', '/usr/sbin/nologin'],
  ['man', 6, 12, '/var/cache/man', '/usr/sbin/nologin'],
  ['lp', 7, 7, '/var/spool/lpd', '/usr/sbin/nologin'],
  ['mail', 8, 8, '/var/mail', '/usr/sbin/nologin'],
  ['news', 9, 9, '/var/spool/news', '/usr/sbin/nologin'],
  ['uucp', 10, 10, '/var/spool/uucp', '/usr/sbin/nologin'],
  ['www-data', 33, 33, '/var/www', '/usr/sbin/nologin'],
  ['backup', 34, 34, '/var/backups', '/usr/sbin/nologin'],
  ['irc', 39, 39, '/run/ircd', '/usr/sbin/nologin'],
  ['nobody', 65534, 65534, '/nonexistent', '/usr/sbin/nologin'],
]

const groups: Readonly<Record<string, number>> = {
  ...{ root: 0, daemon: 1, bin: 2, sys: 3, adm: 4, tty: 5, disk: 6, lp: 7, mail: 8, news: 9, uucp: 10, man: 12 },
  ...{ sudo: 27, 'www-data': 33, backup: 34, irc: 39, src: 40, shadow: 42, utmp: 43, staff: 50, games: 60, users: 100 },
  nogroup: 65534,
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('')

/** The accounts of a machine that a case may change, the same on every machine: files of /etc by name. */
export const firstAccounts: Readonly<Record<string, string>> = {
  passwd: lines(users.map(([name, uid, gid, home, shell]) => `${name}:x:${uid}:${gid}:${name}:${home}:${shell}`)),
  shadow: lines(users.map(([name]) => `${name}:*:19000:0:99999:7:::`)),
  group: lines(Object.entries(groups).map(([name, gid]) => `${name}:x:${gid}:`)),
  gshadow: lines(Object.keys(groups).map((name) => `${name}:*::`)),
}

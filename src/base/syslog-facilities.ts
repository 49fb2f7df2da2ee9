/** Numbers of syslog facilities, by name. RFC 5424, 6.2.1. */
export const syslogFacilities = {
  kern: 0,
  user: 1,
  mail: 2,
  daemon: 3,
  auth: 4,
  syslog: 5,
  lpr: 6,
  news: 7,
  uucp: 8,
  cron: 9,
  authpriv: 10,
  ftp: 11,
  local0: 16,
  local1: 17,
  local2: 18,
  local3: 19,
  local4: 20,
  local5: 21,
  local6: 22,
  local7: 23,
} as const

/** Names of syslog facilities. */
export type SyslogFacility = keyof typeof syslogFacilities

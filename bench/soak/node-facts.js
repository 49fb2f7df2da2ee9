// Facts of a node as they are sent: some 60 KB, with what changes from run to run.
import { readFileSync } from 'node:fs'

const recorded = JSON.parse(readFileSync(new URL('../../test/oracle/facts.json', import.meta.url), 'utf8'))
const packages = 700
const mounts = 40

/** What nodes have that the recorded one has not: many packages and many file systems. */
const more = {
  installed_packages: Object.fromEntries(
    Array.from({ length: packages }, (_, number) => [
      `package-${number}`,
      { version: `1.${number}-2+deb12u1`, held: false },
    ]),
  ),
  mountpoints: Object.fromEntries(
    Array.from({ length: mounts }, (_, number) => [
      `/srv/volume${number}`,
      {
        available: '93.61 GiB',
        available_bytes: 100_513_484_800 + number,
        capacity: '4.92%',
        device: `/dev/mapper/volume${number}`,
        filesystem: 'ext4',
        options: ['rw', 'relatime', 'errors=remount-ro'],
        size: '98.30 GiB',
        size_bytes: 105_555_197_952,
        used: '4.69 GiB',
        used_bytes: 5_041_713_152,
      },
    ]),
  ),
}

/** Facts of a node at its nth run. */
export function nodeFacts(certname, run) {
  const [hostname] = certname.split('.')
  const seconds = 86_400 + 1800 * run
  const time = new Date().toISOString()
  const own = { hostname, domain: 'soak.test', fqdn: certname }
  return {
    name: certname,
    values: {
      ...recorded,
      ...more,
      ...own,
      networking: { ...recorded.networking, ...own },
      clientcert: certname,
      load_averages: { '1m': run / 100, '5m': run / 200, '15m': run / 300 },
      system_uptime: {
        seconds,
        hours: Math.floor(seconds / 3600),
        days: Math.floor(seconds / 86_400),
        uptime: '1 day',
      },
    },
    timestamp: time,
    expiration: time,
  }
}

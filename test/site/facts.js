// The facts of a root as its server has them, as lines: one for each path and value.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeOfServer, varOfServer } from './roots.js'

/** Facts that differ, by the beginning of their paths. */
const ownFacts = [
  // Times, loads, and keys that are made at random.
  /^(?:memory|load_averages|system_uptime|uptime|ssh\.|ssh(?:fp_|rsakey|ecdsakey|ed25519key))/,
  // A file whose header tells a time.
  /^oci_etc_hosts_content/,
  // Puppet 7 with Facter 4.3 and Ruby 3.1 of Debian, and ours, which is as Puppet 8 with Facter 4.10 is.
  /^(?:puppetversion|clientversion|facterversion|ruby|puppet_vardir|puppet_environmentpath)/,
  // Facter 4.3 does not know them yet.
  /^networking\.interfaces\.\w+\.(?:operational_state|physical) /,
  // Facter 4.3 finds them in another way: it knows no overlay, and no machine that KVM runs in a container.
  /^(?:mountpoints|partitions|hypervisors|virtual|is_virtual|dhcp_servers|processors\.extensions)/,
]

/** @param {string} folder @param {string} name */
export function factsOf(folder, name) {
  const path = join(homeOfServer(folder, name), varOfServer(name), 'server_data/facts/node.example.test.json')
  return leavesOf('', JSON.parse(readFileSync(path, 'utf8')).values)
    .filter((line) => !ownFacts.some((each) => each.test(line)))
    .sort()
}

/** @param {string} path @param {unknown} value @returns {string[]} */
function leavesOf(path, value) {
  if (typeof value !== 'object' || value === null) return [`${path} ${JSON.stringify(value)}`]
  return Object.entries(value).flatMap(([key, each]) => leavesOf(path === '' ? key : `${path}.${key}`, each))
}

// Data of the made-up site: by module for all, by location, by role, by a pattern of node names, and sealed.

const locations = ['north', 'south']

/** What a service has everywhere, and what each location says otherwise. */
export function moduleData(name, number) {
  const instances = [1, 2, 3].map(
    (each) => `  i${each}:
    directory: /srv/${name}/i${each}
    workers: ${each * 2}
${each === 1 ? `    interval: "*-*-* ${String(number % 24).padStart(2, '0')}:${10 + (number % 50)}:00"\n` : ''}\
    upstream: "http://${name}-${each}.%{lookup('fleet::domain')}:${9000 + number}/"
`,
  )
  const files = {
    [`data/common/${name}.yaml`]: `---
${name}::port: ${8000 + number}
${name}::owner: ${number % 5 === 0 ? 'root' : `svc-${name}`}
${name}::tls: ${number % 3 === 0}
${name}::mode: ${['primary', 'replica', 'witness'][number % 3]}
${name}::packages: [${name}, ${name}-tools, ca-certificates]
${name}::peers: ["a.%{facts.networking.domain}", b.example.test, c${number}.example.test]
${name}::limits: { open_files: ${1024 + number}, memory: { soft: ${64 + number}, hard: ${128 + number} } }
${name}::networks: [10.${number}.0.0/16, 10.${number + 100}.0.0/20, 192.0.2.${number}/32]
${name}::instances:
${instances.join('')}`,
  }
  for (const [index, location] of locations.entries())
    if ((number + index) % 2 === 0)
      files[`data/${location}/${name}.yaml`] = `---
${name}::peers: ["${location}-1.%{lookup('fleet::domain')}", "${location}-2.%{lookup('fleet::domain')}"]
${name}::limits: { open_files: ${4096 + number} }
`
  return files
}

/** What a role says of some services. */
export function roleData(role, number, services) {
  const some = services.filter((_, index) => index % 6 === number)
  return {
    [`data/role/common/${role}.yaml`]: `---
${some.map((name) => `${name}::tls: true\n${name}::packages: [${role}-${name}]\n`).join('')}`,
    [`data/role/north/${role}.yaml`]: `---
${some.map((name) => `${name}::limits: { memory: { hard: ${256 + number} } }\n`).join('')}`,
    [`data/secrets/role/${role}.yaml`]: `---
inherits: ${role === 'web' ? 'all' : 'role/web'}
values:
${some.map((name) => `  ${name}::password: "${Buffer.from(`${role} ${name}`).toString('base64')}"\n`).join('')}`,
  }
}

/** Passwords of all services, sealed. */
export function secretData(services) {
  const values = services.map(
    (name) => `  ${name}::password: "${Buffer.from(`secret of ${name}`).toString('base64')}"\n`,
  )
  return { 'data/secrets/all.yaml': `---\nvalues:\n${values.join('')}` }
}

/** Data for nodes whose names match. */
export function patterns(services) {
  const groups = Array.from({ length: 40 }, (_, number) => {
    const own = services[(number * 7) % services.length]
    const values = [`${own}::mode: witness`, `${own}::peers: [p${number}.example.test]`]
    const pattern = number % 4 === 0 ? '(web|db|queue)\\d\\.' : `rack${number}-\\d+\\.`
    return `group${number}:\n  match: '^${pattern}'\n  values:\n${values.map((line) => `    ${line}\n`).join('')}`
  })
  return `---\n${groups.join('')}`
}

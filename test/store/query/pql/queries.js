// Texts in PQL, right and wrong: by hand, and from all pieces of the language in many combinations.

const right = String.raw`
nodes {}
nodes{}
  nodes {}  
nodes [] {}
nodes[ ] { }
nodes[certname]{}
nodes [ certname , deactivated ] { }
nodes[certname,deactivated]{certname='a'}
nodes [count()] { group by certname }
nodes[count(certname)] { }
nodes[certname, count( certname )] { certname = "a" group by certname }
nodes[to_string(report_timestamp, 'YYYY-MM'), count()] { group by to_string(report_timestamp, "YYYY-MM") }
facts [avg(value), sum(value), min(value), max(value)] { name = "uptime" }
facts [name, to_string(value, 'a', "b", 'c')] { }
nodes[count, avg, sum] { count = 1 }
nodes[ avg("x") ] { }
reports { limit 5 }
reports { limit 5 offset 10 }
reports { offset 10 limit 5 order by end_time }
reports { order by end_time desc, certname asc, hash }
reports { order by end_time desc , certname   asc  ,hash,  status limit 1 }
reports[certname] { order by certname limit 1 }
reports[certname] { status = "failed" order by certname limit 1 }
reports[certname] { status = "failed" limit 10 order by certname offset 3 limit 4 }
reports{status="failed"limit 10offset 3}
reports { latest_report? = true }
reports { latest_report?=false and noop = true }
nodes { certname = "a" }
nodes { certname='a' }
nodes { certname != 'a' }
nodes { !certname = 'a' }
nodes { ! certname = 'a' }
nodes { !!certname = 'a' }
nodes { !(certname = 'a') }
nodes { ! ( ! ( certname = 'a' ) ) }
nodes { certname ~ 'a.*' }
nodes { certname !~ 'a.*' }
nodes { certname !~ 5 }
nodes { certname !~ ["a", 5] }
nodes { report_timestamp > "2026-01-01" }
nodes { report_timestamp >= '2026-01-01T00:00:00Z' and report_timestamp<'2027-01-01' }
resources { line > 5 and line >= 5 and line < 6.5 and line <= -7 }
resources { line>5and line=3 or line=4 }
facts { value = 1 or value = -1 or value = 1.5 or value = -1.5e3 or value = 1.0E+10 or value = 2.25e-3 }
facts { value = true or value = false }
facts { value = [1, 2, "x", true, 1.5, [2, ['y']]] }
facts { name in ["a", 'b'] }
facts { name in ['a'] }
facts { name in[ 'a' , "b",'c' ] }
facts { value in [1, 1.5, true, "x"] }
facts { [certname, name] in facts[certname, name] { value = 1 } }
facts { [ certname,name ]in facts[certname, name] { } }
facts { certname in nodes[certname] { deactivated is null } }
facts { certname in   nodes [certname] {}   and name = 'a' }
nodes { deactivated is null }
nodes { deactivated is not null }
nodes { deactivated   is null and expired is not null }
nodes { facts { name = 'kernel' and value = 'Linux' } }
nodes { facts{} and resources { type = 'Class' and title = 'Apache' } and !reports { status = "failed" } }
nodes { resources { limit 5 } }
nodes { resources { order by title } }
nodes { reports { resources { title = "x" } } }
nodes { facts = 1 and nodes = 2 and reports ~ "x" }
inventory { facts.os.family = "Debian" }
inventory[certname, facts.os.family] { trusted.extensions.pp_role = 'x' }
inventory { facts.a."b c".d[3] = 1.50e-3 and facts.match("a.*") ~ "x" }
inventory { facts."dotted.name".x is null }
inventory { facts."a b" = 1 }
inventory { facts.match(".*").size > 5 }
inventory { facts.match("a b\d+").x[1].y = "z" }
inventory { facts.match(a = 5) = 3 }
inventory { (facts.match(a = 5) }
inventory { facts.match(ab)cd = 3 }
inventory { facts.mountpoints./var = 'x' }
inventory { facts.a(b)c{d} = 1 and facts.'x' = 5 and facts.a;b:c*d%e = 2 }
inventory { facts.a_b-c.d+e is not null }
inventory { facts."a"b" = 3 }
inventory { facts.system_uptime.days >= 5 and !(facts.is_virtual = true or facts.is_virtual = false) }
inventory[facts.os, facts."a b" , trusted.certname] { order by certname }
inventory[certname, facts.a[3]] { facts.x = [ ] or facts.y = 1 }
inventory { order by facts.os.family desc, trusted.x }
inventory[facts.os.family, count()] { group by facts.os.family }
inventory[facts.os.family, count()] { group by facts.os.family , certname }
resources { parameters.ensure = "present" and parameters.a.b[0] ~ "x" }
resources { parameters."with space" = 's' }
fact_paths { path ~> ["os", ".*"] }
fact_paths { path ~>["os"] and depth = 3 }
fact_contents { path ~> [ 'networking' , "interfaces" , '.*', "ip" ] and value = "127.0.0.1" }
fact_contents { path = ["a", "b", 0, "c"] }
fact_contents { path = ["a", 0] and path in [["a", 0], ["b"]] }
events { timestamp > "2026-01-01" and containing_class = "Foo" }
edges [source_title] { source_type = 'File' }
package_inventory { package_name ~ '^open' }
packages[package_name, version] {  }
factsets { producer = "x" }
environments { name in reports[environment] { } }
catalogs[certname] { code_id is null }
nodes { certname = "" or certname = '' }
nodes { certname = "\"quoted\" \\ \/ \b\f\n\r\t \u00e9\u4e16" }
nodes { certname = '\'quoted\' \\ \n \u00e9 "x"' }
nodes { certname = 'x\\\'y\z' }
nodes { certname = "it's" and certname = 'say "x"' }
nodes { certname = "Grüße 世界 🚀" }
nodes { certname = "a{b}[c](d) and e = 'f'" }
nodes { (certname = "a") }
nodes { ( ( ( certname = "a" ) ) ) }
nodes { (certname = "a" or certname = "b") and certname = "c" }
nodes { certname = "a" and certname = "b" or certname = "c" and certname = "d" }
nodes { certname = "a" or certname = "b" and certname = "c" or certname = "d" }
nodes { !certname = "a" and !certname = "b" or !(certname = "c" or certname = "d") }
nodes { certname = 9223372036854775807 or certname = -9223372036854775808 }
nodes { certname = 9007199254740993 }
nodes { certname = 007 and certname = -0 and certname = 0.0 and certname = -0.0 }
nodes { asc = 1 and desc = 2 and limit = 3 and in = 4 and is = 5 and and = 6 and or = 7 and true = 8 and null = 9 }
nodes { 5 = 5 and _x = 1 and A9_? = 2 and x? is null }
nodes { order by order }
nodes { limit 007 }
nodes { limit -5 }
nodes { order by a, b asc, c desc   }
nodes { order by ascx }
nodes{order by a desc,b}
nodes { group by a, b, count() }
nodes { certname = "a"group by certname}
`
  .split('\n')
  .slice(1, -1)

const wrong = String.raw`
nod
node {}
nodes
nodes {
nodes }
nodes {} x
nodes {}{}
nodes {} nodes {}
nodes [certname {}
nodes [certname,] {}
nodes [,certname] {}
nodes [certname deactivated] {}
nodes [count(] {}
nodes [count(a b)] {}
nodes [count(a,)] {}
nodes [count(a, b)] {}
nodes [count ('a' 'b')] {}
nodes [unknown(a)] {}
nodes [facts.] {}
nodes (certname) {}
nodes { certname }
nodes { certname = }
nodes { certname = a }
nodes { certname == 'a' }
nodes { certname => 'a' }
nodes { certname < = 5 }
nodes { = 'a' }
nodes { 'a' = certname }
nodes { certname = 'a }
nodes { certname = "a }
nodes { certname = "a\" }
nodes { certname = 'a\' }
nodes { certname = 'a'' }
nodes { certname = 'a' and }
nodes { certname = 'a' and and certname = 'b' }
nodes { certname = 'a' or }
nodes { certname = 'a' orr certname = 'b' }
nodes { certname = 'a' AND certname = 'b' }
nodes { certname = 'a' && certname = 'b' }
nodes { certname = 'a' certname = 'b' }
nodes { certname = 'a', certname = 'b' }
nodes { (certname = 'a' }
nodes { certname = 'a') }
nodes { () }
nodes { (certname = 'a')and(certname = 'b') }
nodes { !  }
nodes { not certname = 'a' }
nodes { ! = 'a' }
nodes { certname ~ 3 }
nodes { certname ~ a }
nodes { certname ~ ['a'] }
nodes { certname ~> 'a' }
nodes { certname ~> [1] }
nodes { certname ~> ['a' }
nodes { certname ~> [] }
nodes { certname >  }
nodes { certname > true }
nodes { certname > [1] }
nodes { certname in }
nodes { certname in 'a' }
nodes { certname in [] }
nodes { certname in ['a' }
nodes { certname in ['a',] }
nodes { certname in ['a' 'b'] }
nodes { certname in (1, 2) }
nodes { certname in nodes }
nodes { certname in nodes[certname] }
nodes { certname in foo[certname] {} }
nodes { [certname in ['a'] }
nodes { [certname] = 'a' }
nodes { [] in nodes{} }
nodes { certname is }
nodes { certname is nul }
nodes { certname is not }
nodes { certname is  null }
nodes { certname isnull }
nodes { certname is not  null }
nodes { certname not null }
nodes { certname = null }
nodes { certname = 1. }
nodes { certname = .5 }
nodes { certname = 1e5 }
nodes { certname = 1.5e }
nodes { certname = 1.5e+ }
nodes { certname = - }
nodes { certname = --1 }
nodes { certname = +1 }
nodes { certname = 1.5.5 }
nodes { certname = truee }
nodes { certname = tru }
nodes { certname = True }
nodes { certname = [ }
nodes { certname = [] }
nodes { certname = [1 }
nodes { certname = [1,, 2] }
nodes { certname = [a] }
nodes { limit }
nodes { limit x }
nodes { limit 5 5 }
nodes { limit 5, 6 }
nodes { limit 'a' }
nodes { limit5 }
nodes { limit 1.5 }
nodes { offset }
nodes { offset a }
nodes { order }
nodes { order by }
nodes { order by , }
nodes { order by a, }
nodes { order by a b }
nodes { order by a ascending }
nodes { order by a asc desc }
nodes { order by asc }
nodes { order by desc desc }
nodes { order  by a }
nodes { orderby a }
nodes { order by a limit }
nodes { group by }
nodes { group by a, }
nodes { group by a b }
nodes { group by a limit 5 }
nodes { group by a order by a }
nodes { limit 5 group by a }
nodes { group  by a }
nodes { group by 'a' }
nodes { certname = 'a' limit 5 and certname = 'b' }
nodes { limit 5 certname = 'a' }
nodes { facts.os = 'x' and facts. = 'y' }
nodes { facts..os = 'x' }
nodes { facts."a = 1 }
nodes { facts."a"=1 }
nodes { foo.bar = 1 }
nodes { facts.a b = 1 }
nodes { facts.a[ = 1 }
nodes { facts.a[x] = 1 }
nodes { facts.a[1]b = 1 }
nodes { trusted = }
nodes { parameters.a in }
nodes[facts."a"] {}
nodes { order by facts.a}
nodes { facts { }
nodes { facts { name = } }
nodes { facts [name] { } }
nodes { foo { } }
nodes { !facts }
nodes [certname] [certname] {}
NODES {}
["from", "nodes"]
select * from nodes
nodes { certname = "a" # comment
nodes { certname = “a” }
nodes { certname-x = 1 }
nodes { cert.name = 1 }
nodes { certname = "a" } limit 5
nodes { certname ! = 'a' }
nodes { certname ! 'a' }
nodes { a.b }
événements {}
nodes { certname = in ["a"] }
nodes { certname ~ in ["a"] }
nodes { a in [nodes {} }
nodes { a in [ nodes{} and b = 1}
`
  .split('\n')
  .slice(1, -1)

/** Values that have the form of one and are none, and clauses that PuppetDB's own code fails on. */
const impossible = String.raw`
nodes { certname = "\q" }
nodes { certname = "\x" and certname = "\y" }
nodes { certname = "ab\u12" }
nodes { certname = "\u00g9" }
nodes { certname = 99999999999999999999 }
nodes { certname = -9223372036854775809 }
nodes { certname in ["\q", 99999999999999999999] }
nodes { limit 99999999999999999999 }
nodes { resources { type = "a" limit 5 } }
nodes { resources { type = "\q" limit 99999999999999999999 } and certname = "\x" }
`
  .split('\n')
  .slice(1, -1)

const lines = [
  'nodes {\n  certname = "a"\n  and\tcertname = "b"\n}\n',
  'nodes\n{\r\n}\r\n',
  'nodes {\n  certname = "a"\n  certname = "b"\n}',
  'nodes {\n\n\n',
  'nodes {}\n\nx\n',
  '\n\n',
  '',
  ' ',
  'nodes {\r  certname =\r}',
  'nodes { certname = "a\nb\tc" }',
  `nodes { certname = "${'a'.repeat(1200)}" x`,
]

/** The pieces that conditions are made of. */
const fields = [
  'certname',
  'x?',
  'facts.os.family',
  'facts."a b".c',
  'trusted.extensions',
  'parameters.x[0]',
  '[a, b]',
  '',
]
const operators = ['=', ' != ', ' ~', '~> ', '>', ' <= ', ' in ', ' !~ ', ' is null', ' is not null', ' ']
const values = ['"s"', "'s'", '5', '-1.5e3', 'true', '["a", "b"]', '[1, [2]]', 'nodes[a] { a = 1 }', 'x', '']

/** @returns {string[]} Each field with each operator and each value. */
function conditions() {
  return fields.flatMap((field) =>
    operators.flatMap((operator) => values.map((value) => `nodes { ${field}${operator}${value} }`)),
  )
}

/** @returns {string[]} Conditions in every order of and, or and parentheses. */
function chains() {
  const chain = (word, count) => Array.from({ length: count }, (_, at) => `a = ${at}`).join(` ${word} `)
  const lengths = Array.from({ length: 14 }, (_, at) => at + 1)
  return lengths.flatMap((length) => [
    `nodes { ${chain('or', length)} }`,
    `nodes{${chain('and', length)}}`,
    `nodes { (${chain('or', length)}) and !(${chain('and', length)}) limit 3 }`,
    `nodes { b = 1 and ${chain('or', length)} and c = 2 or d = 3 }`,
    `nodes { ${chain('or', length)} or }`,
    `nodes { x in nodes[x] { ${chain('and', length)} or ${chain('and', length)} } }`,
  ])
}

/** All texts, each once. */
export const pqlQueries = [...new Set([...right, ...wrong, ...impossible, ...lines, ...chains(), ...conditions()])]

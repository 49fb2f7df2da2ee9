/** Where the Ruby of an attack stands. */
export type Place =
  | 'function'
  | 'legacy function'
  | 'template'
  | 'inline'
  | 'function file'
  | 'type'
  | 'title'
  | 'backend'

/** Ruby that a module ought not to have, and what its compile is to say. */
export type Attack = readonly [name: string, place: Place, ruby: string, expected: RegExp]

const ended = 'Ruby code of a module ended its interpreter: '
const late = /Ruby code of a module ran longer than 3 seconds/
const noProgram = /[Pp]rograms cannot be run while a catalog is compiled/
const noFile = /No such file or directory/
const noNetwork = /Network access is disabled|uninitialized constant|undefined method|cannot load such file/
const noMemory = /failed to allocate memory|ran longer|too big/

/** Whether an attack may run out of time: it is given little of it then, and else much, for a machine may be slow. */
export function maySpin(expected: RegExp | string): boolean {
  return typeof expected !== 'string' && expected.test('Ruby code of a module ran longer than 3 seconds')
}

/** What fails alone. */
export const attacks: readonly Attack[] = [
  ['forever', 'function', 'loop { }', late],
  ['forever_old', 'legacy function', 'loop { }', late],
  ['forever_template', 'template', 'loop { }', late],
  ['forever_inline', 'inline', 'loop { }', late],
  ['forever_file', 'function file', 'loop { }', late],
  ['forever_type', 'type', 'loop { }', late],
  ['forever_title', 'title', 'loop { }', late],
  ['forever_backend', 'backend', 'loop { }', late],
  ['rescuing', 'function', 'begin; loop { }; rescue Exception; retry; end', late],
  ['sleeping', 'function', 'sleep 100_000', late],
  ['spin_at_exit', 'function', 'at_exit { loop { } }; exit', /exit/],
  ['leave', 'function', 'exit!', new RegExp(`${ended}Ruby ended with status 1`)],
  ['leave_template', 'template', 'exit!', new RegExp(ended)],
  ['leave_type', 'type', 'exit!', new RegExp(ended)],
  ['leave_backend', 'backend', 'exit!', new RegExp(ended)],
  ['quit', 'function', 'exit', /exit/],
  ['quit_type', 'type', 'exit 3', /exit/],
  ['bye', 'function', "abort 'bye'", /bye/],
  [
    'descend',
    'function',
    'define_singleton_method(:down) { |x| down(x + 1) }; down(0)',
    /stack level too deep|blocks nested too deep/,
  ],
  ['nest', 'function', 'f = ->(x) { [x].each { |y| f.(y) } }; f.(1)', /stack level too deep|blocks nested too deep/],
  ['swell', 'function', "'x' * (1 << 30)", noMemory],
  ['swell_template', 'template', "_x = 'x' * (1 << 30)", noMemory],
  ['swell_more', 'function', "'x' * (1 << 62)", noMemory],
  ['hoard', 'function', "all = []; loop { all << 'x' * (1 << 20) }", noMemory],
  ['hoard_hash', 'function', 'all = {}; n = 0; loop { all[n += 1] = [n] * 1000 }', noMemory],
  ['hoard_range', 'function', "('a'..'zzzzzzzzz').to_a.size", noMemory],
  ['vast', 'function', 'Array.new(1 << 29).size', noMemory],
  ['padded', 'function', "format('%2000000000d', 1)", /malformed|failed to allocate memory|too big/],
  ['stress', 'function', 'GC.stress = true; loop { Object.new }', late],
  ['pattern', 'function', "('a' * 40).match?(/^(?<x>a|a|b\\\\k<x>)*\\\\1$/); loop { }", late],
  ['write', 'function', "File.write('/etc/x', 'y')", /Read-only file system/],
  ['write_beside', 'function', "File.write(__FILE__, 'y')", /Read-only file system/],
  ['remove', 'function', 'File.delete(__FILE__)', /Read-only file system/],
  ['link', 'function', "File.symlink('/etc/shadow', '/x')", /Read-only file system|not implemented|unimplemented/],
  [
    'temporary',
    'function',
    "require 'tempfile'; Tempfile.new('x')",
    /Read-only file system|could not find a temporary directory|No such file/,
  ],
  ['shadow', 'function', "File.read('/etc/shadow')", noFile],
  ['shadow_template', 'template', "IO.read('/etc/shadow')", noFile],
  ['shadow_type', 'type', "File.read('/etc/shadow')", noFile],
  ['shadow_backend', 'backend', "File.read('/etc/shadow')", noFile],
  ['climb', 'function', "File.read('../../../../../../../../etc/passwd')", noFile],
  ['process', 'function', "File.read('/proc/self/environ')", noFile],
  ['listing', 'function', "raise Dir.children('/').inspect", /__bridge__|ruby/],
  ['environ', 'function', 'raise ENV.to_h.inspect', /\{\}/],
  ['connect', 'function', "TCPSocket.new('127.0.0.1', 22)", noNetwork],
  ['connect_udp', 'function', 'UDPSocket.new', noNetwork],
  ['connect_http', 'function', "require 'net/http'; Net::HTTP.get(URI('http://127.0.0.1/'))", noNetwork],
  ['library', 'function', "require 'fiddle'", /cannot load such file/],
  ['library_socket', 'function', "require 'socket'; Socket.tcp('127.0.0.1', 22)", noNetwork],
  ['shell', 'function', "system('touch /tmp/owned')", noProgram],
  ['shell_template', 'template', '`id`', noProgram],
  ['shell_exec', 'function', "exec 'id'", noProgram],
  ['shell_spawn', 'function', "Process.spawn('id')", noProgram],
  ['shell_pipe', 'function', "IO.popen('id').read", noProgram],
  [
    'shell_open',
    'function',
    "open('|id').read",
    /programs cannot be run|No such file|cannot be used|unimplemented|not supported/,
  ],
  [
    'shell_open3',
    'function',
    "require 'open3'; Open3.capture2('id')",
    /programs cannot be run|unimplemented|[Nn]ot supported|not implemented/,
  ],
  ['shell_puppet', 'function', "Puppet::Util::Execution.execute(['id'])", noProgram],
  ['child', 'function', 'fork', /fork\(\) cannot be used/],
  ['daemon', 'function', 'Process.daemon', /unimplemented|not implemented|cannot be used|undefined method/],
  ['thread', 'function', 'Thread.new { loop { } }.join', /unimplemented|not implemented|can't create Thread/],
  ['deep', 'function', 'x = []; 1_000_000.times { x = [x] }; x', /./],
  ['deep_hash', 'function', "x = {}; 100_000.times { x = { 'a' => x } }; x", /./],
  ['cycle', 'function', 'x = []; x << x; x', /./],
  ['cycle_hash', 'function', "x = {}; x['x'] = x; x", /./],
  ['object', 'function', 'BasicObject.new', /./],
  ['unbridge', 'function', 'Plumb::Channel::FILE.close', /./],
  ['unread', 'function', 'Plumb::Bridge.define_singleton_method(:write) { |_| nil }', /sent an invalid message/],
  ['yielding', 'function', 'Fiber.yield(1)', /sent an invalid message/],
  [
    'lie',
    'function',
    "Plumb::Bridge.define_singleton_method(:write) { |_| Plumb::Channel::FILE.syswrite('[1]') }",
    /sent an invalid message/,
  ],
  ['thrown', 'function', 'throw :x', /uncaught throw/],
  ['wordless', 'function', 'raise Class.new(Exception) { def message = raise(self) }', /./],
  ['broken_text', 'function', 'raise "a\\xff\\xfeb"', /a.*b/],
  ['frozen', 'function', 'Kernel.freeze; Object.freeze; raise "after"', /after/],
  ['bytecode', 'function', "RubyVM::InstructionSequence.load_from_binary('YARB' + 'x' * 10_000)", /./],
  [
    'boast',
    'function',
    "text = '[\"ok\",[\"l\",' << ('0,' * 60_000_000) << '0]]'; " +
      'Plumb::Bridge.define_singleton_method(:write) { |_| Plumb::Channel::FILE.syswrite(text) }',
    /ended its interpreter: it sent a message of more than \d+ bytes/,
  ],
  [
    'boast_items',
    'function',
    "text = '[\"ok\",[\"l\",' << ('0,' * 10_000_000) << '0]]'; " +
      'Plumb::Bridge.define_singleton_method(:write) { |_| Plumb::Channel::FILE.syswrite(text) }',
    /ended its interpreter: it sent a message of more than \d+ values/,
  ],
  [
    'boast_at_once',
    'function',
    'Plumb::Channel::FILE.syswrite(\'["at_once","setting",["l",\' << (\'0,\' * 10_000_000) << \'0]]\')',
    /ended its interpreter: it sent a message of more than \d+ values/,
  ],
  ['watch', 'function', "raise format('%.2f', Process.clock_gettime(Process::CLOCK_MONOTONIC))", /0\.0\d/],
  ['syntax', 'function file', 'def (', /syntax error/],
]

/** What a module may do, though it is odd: it gives a catalog. */
export const oddities: readonly (readonly [name: string, ruby: string])[] = [
  ['signal', 'Process.kill(:KILL, Process.pid)'],
  ['trapping', "trap('TERM') { }; 1"],
  ['at_the_end', 'at_exit { loop { } }; 1'],
  ['flood', "1000.times { $stdout.write('x' * 1000) }; 1"],
  ['flood_error', "100.times { warn 'x' * 100_000 }; 1"],
  ['objects', 'ObjectSpace.each_object(Class).count'],
  ['input', '$stdin.read'],
  ['integer', '10**5000'],
  ['large_integer', '10**100_000'],
  ['text', '"a\\xff\\xfeb"'],
  ['bytes', '"\\x00\\xff".b'],
  ['float', 'Float::NAN'],
  ['many', '(1..20_000).to_a'],
  ['noise', "Plumb::Channel::FILE.syswrite('garbage'); 1"],
]

/** What harms all that the environment's code does with Ruby from then on, and no other environment. */
export const patches: readonly (readonly [name: string, ruby: string])[] = [
  ['blind', 'Object.class_eval { def send(*) = nil; def ==(_) = raise(%q(equal)) }; 1'],
  ['redefine', 'String.class_eval { def upcase = exit!; def + (_) = loop { } }; 1'],
]

/** Constants of Ruby and Puppet that hold no state which code could read. */
export const knownConstants: ReadonlySet<string> = new Set([
  ...[
    'Array',
    'BasicObject',
    'Base64',
    'Bignum',
    'CGI',
    'Class',
    'Comparable',
    'Complex',
    'Date',
    'DateTime',
    'Digest',
  ],
  ...['Delegator', 'Dir', 'ERB', 'Encoding', 'Enumerable', 'Enumerator', 'Errno', 'FALSE', 'Facter', 'FalseClass'],
  ...['File', 'FileTest', 'Fixnum', 'Float', 'Forwardable', 'Gem', 'Hash', 'IO', 'IPAddr', 'Integer', 'JSON', 'Kernel'],
  ...[
    'MatchData',
    'Math',
    'Method',
    'Module',
    'NIL',
    'NilClass',
    'Numeric',
    'Object',
    'OpenSSL',
    'OpenStruct',
    'OpenURI',
  ],
  ...['PSON', 'PUPPETVERSION', 'Pathname', 'Proc', 'Psych', 'Puppet', 'PuppetX', 'RUBY_ENGINE', 'RUBY_PLATFORM'],
  ...['RUBY_VERSION', 'Random', 'Range', 'Rational', 'RbConfig', 'Regexp', 'SecureRandom', 'SemanticPuppet', 'Set'],
  ...['Shellwords', 'SimpleDelegator', 'SortedSet', 'String', 'StringIO', 'StringScanner', 'Struct', 'Symbol', 'TRUE'],
  ...['Time', 'Timeout', 'TrueClass', 'URI', 'YAML'],
])

/**
 * Methods that run or define code by name or text, keep state, or describe the process. Code may
 * call such a method if it defines the method itself, except those that run code.
 */
export const deniedMethods: ReadonlySet<string> = new Set([
  ...['eval', 'instance_eval', 'class_eval', 'module_eval', 'instance_exec', 'class_exec', 'module_exec', 'binding'],
  ...['send', '__send__', 'public_send', 'instance_variable_set', 'instance_variables', 'class_variable_set'],
  ...['class_variable_get', 'class_variables', 'class_variable_defined?', 'remove_class_variable', 'const_get'],
  ...['remove_instance_variable', 'const_set', 'const_missing', 'remove_const', 'const_defined?', 'constants'],
  ...['autoload', 'define_method', 'define_singleton_method', 'singleton_class', 'alias_method', 'undef_method'],
  ...['remove_method', 'extend', 'extended', 'refine', 'using', 'prepend_features', 'append_features', 'extend_object'],
  ...['attr_accessor', 'attr_writer', 'attr', 'attr_reader', 'object_id', '__id__', 'hash', 'caller', 'syscall'],
  ...['caller_locations', 'trap', 'at_exit', 'exit', 'exit!', 'abort', 'trace_var', 'untrace_var', 'callcc', 'sysopen'],
  ...['set_trace_func', 'shuffle', 'shuffle!', 'sample', 'chdir', 'umask', 'method', 'public_method', 'instance'],
  ...['singleton_method', 'instance_method', 'public_instance_method', 'methods', 'public_methods', 'private_methods'],
  ...['singleton_methods', 'instance_methods', 'global_variables', 'local_variables', 'each_object', 'select_io'],
  ...['garbage_collect', 'module_function', 'private_class_method', 'public_class_method', 'private_constant'],
  ...['create_function', 'create_loaded_function', 'newfunction', 'rmfunction', 'define_finalizer', 'add_tag'],
  ...['add_domain_type', 'add_builtin_type', 'load_tags', 'dump_tags', 'domain_types', 'create_id=', 'withenv'],
  ...['default_external=', 'default_internal=', 'abort_on_exception=', 'report_on_exception=', 'newtype', 'provide'],
  ...['newproperty', 'newparam', 'debugging=', 'load_default_options=', 'dump_default_options=', 'state=', 'parser='],
  ...['generator=', 'override', 'enable_autoload', 'reopen', 'core#set_method_alias', 'core#undef_method'],
  ...['function_name=', 'dispatches=', 'named_types=', 'settings='],
])

/** Methods of Ruby's compiler and of open-uri's errors that are missing in Ruby's lists of methods. */
export const knownMethods: readonly string[] = [
  ...['core#hash_merge_ptr', 'core#hash_merge_kwd', 'core#hash_merge_ary', 'lambda', 'dispatcher', 'dispatch'],
  ...['io', 'status', 'open_uri'],
]

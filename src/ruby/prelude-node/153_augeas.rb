# The library for Augeas by its program `augtool`: what was said so far is said again before each question.
$LOADED_FEATURES.push('augeas.rb')

class Augeas
  NONE = 0
  SAVE_BACKUP = 1
  SAVE_NEWFILE = 2
  TYPE_CHECK = 4
  NO_STDINC = 8
  SAVE_NOOP = 16
  NO_LOAD = 32
  NO_MODL_AUTOLOAD = 64

  class Error < RuntimeError; end
  class CommandExecutionError < Error; end

  def self.open(root = nil, loadpath = nil, flags = NONE)
    augeas = new(root, loadpath, flags)
    return augeas unless block_given?

    yield augeas
  end

  def self.create(options = {}, &block)
    flags = (options[:no_load] ? NO_LOAD : 0) | (options[:no_modl_autoload] ? NO_MODL_AUTOLOAD : 0)
    open(options[:root], options[:loadpath], flags, &block)
  end

  def initialize(root, loadpath, flags)
    @options = []
    @options += ['-r', root] if root
    @options += ['-I', Array(loadpath).join(':')] if loadpath
    @options << '-A' if flags.anybits?(NO_MODL_AUTOLOAD)
    @options << '-L' if flags.anybits?(NO_LOAD)
    @options << '-b' if flags.anybits?(SAVE_BACKUP)
    @options << '-n' if flags.anybits?(SAVE_NEWFILE)
    @said = []
  end

  def get(path)
    found = tell("get #{quoted(path)}").lines.last.to_s.chomp
    at = found.index(' = ')
    at && found[(at + 3)..]
  end

  def match(path)
    rows = tell("match #{quoted(path)}").lines(chomp: true)
    rows == ['  (no matches)'] ? [] : rows.map { |row| row[/\A(.*?) = /, 1] || row }
  end

  def exists(path) = match(path).any?
  def set(path, value) = say("set #{quoted(path)} #{quoted(value)}")
  def set!(path, value) = set(path, value)
  def setm(base, sub, value) = say("setm #{quoted(base)} #{quoted(sub)} #{quoted(value)}")
  def clear(path) = say("clear #{quoted(path)}")
  def touch(path) = say("touch #{quoted(path)}")
  def mv(from, to) = say("mv #{quoted(from)} #{quoted(to)}") && 0
  alias rename mv
  def insert(path, label, before) = say("insert #{quoted(label)} #{before ? 'before' : 'after'} #{quoted(path)}") && 0
  def defvar(name, expression) = say("defvar #{name} #{quoted(expression)}")
  def defnode(name, expression, value = nil) = say("defnode #{name} #{quoted(expression)} #{quoted(value)}")
  def load = say('load')
  def load! = load
  def close = nil
  def error = { code: 0, message: 'No error', minor: nil, details: nil }

  def rm(path)
    count = match(path).size
    say("rm #{quoted(path)}")
    count
  end

  def transform(given)
    lens = given[:lens]
    name = given[:name] || lens.split('.').first.delete('@')
    at = "/augeas/load/#{name}"
    say("set #{quoted("#{at}/lens")} #{quoted(lens)}")
    { 'incl' => given[:incl], 'excl' => given[:excl] }.each do |kind, paths|
      Array(paths).each { |path| say("set #{quoted("#{at}/#{kind}[last()+1]")} #{quoted(path)}") }
    end
    true
  end

  def clear_transforms = say('rm /augeas/load/*')

  def save
    saved = tell('save')
    return false if saved.include?('error')

    @said.clear
    true
  end

  def save!
    save || raise(CommandExecutionError, 'the files could not be saved')
  end

  private

  def say(command)
    @said << command
    true
  end

  def quoted(text) = "\"#{text.to_s.gsub(/["\\]/) { |sign| "\\#{sign}" }}\""

  def tell(command)
    program = Facter::Core::Execution.which('augtool') || raise(Error, 'augtool is not there, by which Augeas is asked')
    input = [*@said, command, ''].join("\n")
    result = Plumb::Programs.run([program, *@options], out: 'string', err: 'string', input:)
    message = result.err.strip
    raise Error, message unless message.empty? || command == 'save'

    result.out
  end
end

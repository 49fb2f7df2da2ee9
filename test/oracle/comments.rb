# The code of all files of Ruby below a folder, without comments, on the same lines, as Ruby's own lexer has them: a line for
# each file, [path, code] in JSON.
require 'json'
require 'ripper'

MAGIC = /\A#!|coding|frozen_string_literal|warn_indent|shareable_constant_value|warn_past_scope/i

Dir.chdir(ARGV.fetch(0))
Dir.glob('*/**/*.rb').sort.each do |path|
  text = File.binread(path).force_encoding('UTF-8')
  next unless text.valid_encoding? && File.file?(path)

  code = +''
  Ripper.lex(text).each do |(_, type, token, _)|
    next code << token if type != :on_comment || token.match?(MAGIC)

    code.sub!(/[ \t]+\z/, '')
    code << "\n" if token.end_with?("\n")
  end
  puts JSON.generate([path, code.rstrip])
end

# Shaped as tagmail: mails lines of the log by their tags, through sendmail, in a process of its own.
require 'puppet'
require 'pp'
require 'time'
require 'puppet/util/tagging'

Puppet::Reports.register_report(:mail_tags) do
  desc "Mails messages with these tags to these addresses:

    - `all` stands for every message,
    - `!tag` for those without."

  def match(taglists)
    taglists.filter_map do |emails, positive, negative|
      messages = positive.include?('all') ? logs : logs.find_all { |log| positive.detect { |tag| log.tagged?(tag) } }
      messages = messages.reject { |log| negative.detect { |tag| log.tagged?(tag) } }
      [emails, messages.collect(&:to_report).join("\n")] unless messages.empty?
    end
  end

  def parse(text)
    text.split("\n").reject { |line| line =~ /^\s*(#|$)/ }.map do |line|
      raise ArgumentError, "Invalid tagmail config file: #{line}" unless line =~ /^\s*(.+)\s*:\s*(.+)\s*$/

      names, emails = $1, $2
      tags = names.split(/\s*,\s*/)
      [emails.split(/\s*,\s*/), tags.grep_v(/^!/), tags.grep(/^!/).map { |tag| tag.sub('!', '') }]
    end
  end

  def process
    file = File.join(Puppet.settings[:confdir], 'tagmail.conf')
    unless Puppet::FileSystem.exist?(file)
      Puppet.notice _("Cannot send tagmail report; no tagmap file %{tagmap}") % { tagmap: file }
      return
    end

    if metrics.empty? || metrics['resources']['out_of_sync'] == 0 && metrics['changes']['total'] == 0
      Puppet.notice 'Not sending tagmail report; no changes'
      return
    end
    reports = match(parse(File.read(file)))
    pid = Puppet::Util.safe_posix_fork do
      reports.each do |emails, messages|
        IO.popen("#{File.dirname(file)}/sendmail #{emails.join(' ')}", 'w') do |pipe|
          pipe.puts "From: report@#{Puppet[:certname].split('.').first}"
          pipe.puts "Subject: Puppet Report for #{host}"
          pipe.puts "To: #{emails.join(', ')}"
          pipe.puts "Date: #{time.utc.rfc2822}"
          pipe.puts
          pipe.puts messages
        end
      end
    end
    Process.waitpid(pid)
  end
end

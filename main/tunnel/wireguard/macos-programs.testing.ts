/**
 * A program for Linux that stands in for `route`, `netstat`, `ifconfig`, `scutil`, `dscacheutil` and `pfctl` of macOS, by the name by
 * which it's called. Routes, addresses and devices are those of the kernel, in the words of macOS, so that packets follow them.
 * `pfctl` has nftables apply its rules. FOLDER has what the others keep, and what may go wrong.
 */
export const macosPrograms = String.raw`#!/usr/bin/perl
use strict; use warnings; use JSON::PP;
my ($name) = $0 =~ m{([^/]+)$};
my $folder = 'FOLDER';
sub text { open(my $in, '<', "$folder/$_[0]") or return ''; local $/; return scalar <$in> // '' }
sub note { open(my $out, $_[2] // '>', "$folder/$_[0]") or die; print $out $_[1]; close $out }
sub ip { open(my $in, '-|', '/usr/sbin/ip', '-j', @_) or die; local $/; my $all = <$in> // ''; close $in; return decode_json($all || '[]') }
sub quietly { open(STDERR, '>', '/dev/null'); return system(@_) == 0 }
# dscacheutil runs as the user.
note("$name.log", "@ARGV\n", '>>') if $> == 0;

# As netstat's netname: without zeros at the end, and without the length of the network's class.
sub shortened {
  my ($address, $bits) = split m{/}, $_[0];
  my @bytes = split /\./, $address;
  my $class = $bytes[0] < 128 ? 8 : $bytes[0] < 192 ? 16 : 24;
  my $shown = $class / 8;
  $shown++ while $shown < 4 && grep { $_ != 0 } @bytes[$shown .. 3];
  return join('.', @bytes[0 .. $shown - 1]) . ($bits == $class ? '' : "/$bits");
}

sub listed {
  my ($family, $local) = @_;
  for my $each (@{ip("-$family", 'route', 'show', 'table', 'main')}) {
    my ($to, $device, $via) = ($each->{dst}, $each->{dev} // 'lo', $each->{gateway});
    next if $device =~ /^lo$/ && ($each->{type} // 'unicast') eq 'unicast' || $to =~ /^(?:ff|multicast)/;
    $to .= $family == 4 ? '/32' : '/128' if $to ne 'default' && $to !~ m{/};
    $to = shortened($to) if $family == 4 && $to ne 'default';
    my $kind = $each->{type} // 'unicast';
    if ($kind ne 'unicast') { printf "%-18s %-18s %-6s %s\n", $to, $local, $kind eq 'blackhole' ? 'UGSB' : 'UGSR', 'lo0' }
    elsif (defined $via) { printf "%-18s %-18s %-6s %s\n", $to, $via =~ /^fe80/ ? "$via%$device" : $via, 'UGScg', $device }
    else { printf "%-18s %-18s %-6s %s\n", $to, $device =~ /^utun/ ? $device : 'link#4', 'UCS', $device }
  }
}

if ($name eq 'netstat' && "@ARGV" =~ /^-rn(?: -f (inet6?))?$/) {
  my $only = $1 // '';
  print "Routing tables\n";
  if ($only ne 'inet6') {
    print "\nInternet:\nDestination        Gateway            Flags               Netif Expire\n";
    listed(4, '127.0.0.1');
    print "127                127.0.0.1          UCS                   lo0\n192.0.2.77         a4:b1:c1:2:3:4     UHLWIi                en0   1189\n";
    print "default            link#20            UCSIg               utun3\n";
  }
  if ($only ne 'inet') {
    print "\nInternet6:\nDestination        Gateway            Flags               Netif Expire\n";
    listed(6, '::1');
    print "default            fe80::%utun0       UGcIg               utun0\nfe80::%lo0/64      fe80::1%lo0        UcI                   lo0\n";
  }
} elsif ($name eq 'netstat' && "@ARGV" =~ /^-ibn -I (\S+)$/) {
  my ($link) = @{ip('-s', 'link', 'show', $1)};
  my ($in, $out) = @{$link->{stats64}}{'rx', 'tx'};
  print "Name       Mtu   Network       Address            Ipkts Ierrs     Ibytes    Opkts Oerrs     Obytes  Coll\n";
  print "$1   $link->{mtu}  <Link#20>   $in->{packets} $in->{errors} $in->{bytes} $out->{packets} $out->{errors} $out->{bytes} 0\n";
} elsif ($name eq 'route' && "@ARGV" =~ /^-n get -(inet6?) (\S+)$/) {
  my ($way) = @{ip($1 eq 'inet' ? '-4' : '-6', 'route', 'get', $2)};
  print "   route to: $2\n";
  print "  interface: $way->{dev}\n      flags: <UP,DONE,STATIC>\n" if defined $way && defined $way->{dev};
} elsif ($name eq 'route') {
  my @words = @ARGV;
  shift @words;
  my $change = shift @words;
  my ($kind) = map { /^-(blackhole|reject)$/ ? $1 : () } @words;
  @words = grep { !/^-(?:blackhole|reject)$/ } @words;
  my ($prefix, @way);
  if ("@words" =~ /^-net (\S+) -netmask (\S+) -interface (\S+)$/ || "@words" =~ /^-net (\S+) (?!-)(\S+) (\S+)$/) {
    my ($mask, $via) = $words[2] eq '-netmask' ? ($2, undef) : ($3, $2);
    my $bits = unpack('B32', pack('C4', split /\./, $mask)) =~ tr/1//;
    ($prefix, @way) = ("$1/$bits", defined $via ? ('via', $via) : ('dev', $3));
  } elsif ("@words" =~ /^-inet6 (\S+) -prefixlen (\d+) -interface (\S+)$/) { ($prefix, @way) = ("$1/$2", 'dev', $3) }
  elsif ("@words" =~ /^-inet6 (\S+) -prefixlen (\d+) ([^%\s]+)(?:%(\S+))?$/) { ($prefix, @way) = ("$1/$2", 'via', $3, defined $4 ? ('dev', $4) : ()) }
  else { die "route: bad usage: @words" }
  my $family = $prefix =~ /:/ ? '-6' : '-4';
  my @type = !defined $kind ? () : $kind eq 'blackhole' ? 'blackhole' : 'unreachable';
  # Whatever became of it, as some versions: the routes show it.
  if ($change eq 'add') { quietly('/usr/sbin/ip', $family, 'route', 'add', @type, $prefix, @type ? () : @way) }
  elsif ($change eq 'delete') { quietly('/usr/sbin/ip', $family, 'route', 'del', $prefix) }
  else { die }
} elsif ($name eq 'ifconfig') {
  my ($device, @words) = @ARGV;
  my @done = "@words" =~ /^inet (\S+) (\S+) alias$/ && index("$1/", "$2/") == 0 ? ('-4', 'addr', 'add', $1, 'dev', $device, 'noprefixroute')
    : "@words" =~ /^inet6 (\S+) alias$/ ? ('-6', 'addr', 'add', $1, 'dev', $device, 'nodad', 'noprefixroute')
    : "@words" =~ /^mtu (\d+)$/ ? ('link', 'set', $device, 'mtu', $1)
    : "@words" eq 'up' ? ('link', 'set', $device, 'addrgenmode', 'none', 'up') : die "ifconfig: @words";
  exit(quietly('/usr/sbin/ip', @done) ? 0 : 1);
} elsif ($name eq 'scutil') {
  my $input = do { local $/; <STDIN> } // '';
  if ($input =~ /^show /) { print text('names') }
  elsif ($input =~ /^remove /) { unlink "$folder/names" }
  else { note('names', $input) }
} elsif ($name eq 'dscacheutil') {
  for my $line (split /\n/, text('hosts')) {
    my ($address, $host) = split ' ', $line;
    print 'name: ', $host, "\n", $address =~ /:/ ? 'ipv6_address: ' : 'ip_address: ', "$address\n\n" if $host eq $ARGV[-1];
  }
} elsif ($name eq 'pfctl') {
  my ($anchor) = "@ARGV" =~ m{^-a com\.apple/org\.causeway\.(\d+) };
  my $table = 'pf_' . ($anchor // '');
  if ("@ARGV" eq '-s rules') { print "scrub-anchor \"com.apple/*\" all fragment reassemble\nanchor \"com.apple/*\" all\n" }
  elsif ("@ARGV" eq '-s info') { print text('tokens') ne '' ? "Status: Enabled for 0 days 00:00:01\n" : "Status: Disabled\n" }
  elsif ("@ARGV" eq '-E') { my $token = int(rand(2 ** 40)) + 1; note('tokens', "$token\n", '>>'); print STDERR "pf enabled\nToken : $token\n" }
  elsif ($ARGV[0] eq '-X') { note('tokens', join('', grep { $_ ne "$ARGV[1]\n" } map { "$_\n" } split /\n/, text('tokens'))) }
  elsif ("@ARGV" eq '-F states') { }
  elsif ("@ARGV" =~ / -o none -f -$/) {
    my @rules = <STDIN>;
    note("anchor-$anchor", join '', map { s/ user (\d+)/ user = $1/r } @rules);
    my $nft = "table inet $table\ndelete table inet $table\ntable inet $table { chain out { type filter hook output priority 0;\n";
    for my $rule (@rules) {
      my $match = '';
      $match .= " oifname \"@{[$1 eq 'lo0' ? 'lo' : $1]}\"" if $rule =~ / on (\S+)/;
      my ($proto) = $rule =~ / proto (\S+)/ or die $rule;
      my ($to) = $rule =~ / to (?!any)(\S+)/;
      $match .= (index($to, ':') < 0 ? ' ip' : ' ip6') . " daddr $to" if defined $to;
      $match .= " meta l4proto $proto";
      $match .= " $proto sport $1" if $rule =~ / from any port = (\d+)/;
      $match .= " $proto dport $1" if $rule =~ / to \S+ port = (\d+)/;
      my ($user) = $rule =~ / user (\d+)/ or die $rule;
      $nft .= "$match meta skuid $user " . ($rule =~ /^pass / ? 'accept' : 'drop') . "\n";
    }
    open(my $out, '|-', '/usr/sbin/nft', '-f', '-') or die;
    print $out "$nft}\n}\n";
    close $out or exit 1;
  }
  elsif ("@ARGV" =~ / -s rules$/) { print text("anchor-$anchor") }
  elsif ("@ARGV" =~ / -F rules$/) { unlink "$folder/anchor-$anchor"; quietly('/usr/sbin/nft', 'delete', 'table', 'inet', $table) }
  else { die "pfctl: @ARGV" }
} else { die "$name @ARGV" }
`

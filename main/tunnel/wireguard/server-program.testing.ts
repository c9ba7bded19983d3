/** Runs the program for WireGuard in user space as the server, and passes its requests on from standard input. */
export const serverProgram = `
use Socket; use Fcntl; use POSIX ();
$^F = 20; $| = 1;
my ($program, $name) = @ARGV;
my ($TUNSETIFF, $flags) = (0x400454ca, 0x5001);
sysopen(my $tun, '/dev/net/tun', O_RDWR | O_NONBLOCK) or die;
ioctl($tun, $TUNSETIFF, pack('a16 S x22', $name, $flags)) or die;
socketpair(my $own, my $its, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die;
my $pid = fork // die;
if (!$pid) { POSIX::dup2(fileno($tun), 3); POSIX::dup2(fileno($its), 4); exec $program, '1420' or die }
close $tun; close $its; select((select($own), $| = 1)[0]);
while (<STDIN>) {
  print $own $_;
  next if $_ ne "\\n";
  while (my $line = <$own>) { print $line; last if $line eq "\\n" }
}`

package causeway.mock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit 5 extension for causeway-mock-server. A parameter of the type {@link World} is a world of its own for the test.
 *
 * <p>All tests with the same options share a server. It needs Node and the package, installed with npm in the folder of
 * the tests or above it, or its command in the environment variable CAUSEWAY_MOCK. Other options than --auto-approve:
 * {@code @RegisterExtension static final MockServer mock = new MockServer("--api", "3");}
 */
public final class MockServer implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(MockServer.class);
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().proxy(ProxySelector.of(null)).build();
  private final List<String> options;

  public MockServer() {
    this("--auto-approve");
  }

  public MockServer(String... options) {
    this.options = Arrays.asList(options);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == World.class;
  }

  @Override
  public World resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Running server =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(options, given -> new Running(options), Running.class);
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(World.class, type -> server.world.newWorld(), World.class);
  }

  /** Returns a text of a flat JSON object, so that no library is needed. */
  private static String field(String name, String json) {
    Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    if (!found.find()) throw new IllegalStateException(name + " is not in " + json);
    return found.group(1);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** The process of a server, which ends after the last test. */
  private static final class Running implements ExtensionContext.Store.CloseableResource {
    private final Process process;
    private final World world;

    Running(List<String> options) {
      String own = System.getenv("CAUSEWAY_MOCK");
      boolean isWindows = System.getProperty("os.name").startsWith("Windows");
      // Never from the registry.
      List<String> command =
          new ArrayList<>(
              own == null || own.isBlank()
                  ? List.of(isWindows ? "npx.cmd" : "npx", "--no-install", "causeway-mock-server")
                  : Arrays.asList(own.trim().split("\\s+")));
      command.addAll(List.of("--port", "0", "--json"));
      command.addAll(options);
      try {
        process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
        if (line == null) throw new IllegalStateException("The mock server didn't start.");
        world = new World(line, null);
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }

    @Override
    public void close() throws InterruptedException {
      process.destroy();
      process.waitFor();
    }
  }

  /** A world of the server: its addresses, and the calls that control it. */
  public static final class World implements ExtensionContext.Store.CloseableResource {
    /** The origin, which is also the base address of content and organizations. */
    public final String origin;

    /** The address of the VPN instance, as a user types it. */
    public final String instance;

    public final String attachments;
    public final String control;
    /** The server that this is a world of. */
    public final World server;

    private final String json;

    World(String json, World server) {
      this.json = json;
      this.server = server;
      origin = field("origin", json);
      instance = origin + "/";
      attachments = origin + "/v2.0.0";
      control = field("control", json);
    }

    World newWorld() {
      return new World(call("POST", "/worlds", "{\"port\":true}"), this);
    }

    /** Deletes the world; JUnit does so after the test. */
    @Override
    public void close() {
      server.call("DELETE", "/worlds/" + field("world", json), "");
    }

    private HttpResponse<String> send(String method, String path, String body) {
      // Over http, which control calls have beside https: no certificate can be in their way.
      URI uri = URI.create(control.replaceFirst("^https:", "http:") + path);
      HttpRequest.Builder request =
          HttpRequest.newBuilder(uri)
              .header("accept", "application/json")
              .method(method, HttpRequest.BodyPublishers.ofString(body));
      if (!body.isEmpty()) request.header("content-type", "application/json");
      try {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(error);
      }
    }

    /** Makes a control call with a body of JSON, or an empty one, and returns its answer. */
    public String call(String method, String path, String body) {
      HttpResponse<String> answer = send(method, path, body);
      if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
      return answer.body();
    }

    /** Sets up these scenarios together, instead of those before; none ends them. */
    public void scenario(String... names) {
      String list = Arrays.stream(names).map(MockServer::quoted).collect(Collectors.joining(","));
      call("POST", "/scenarios", "{\"names\":[" + list + "]}");
    }

    /** Adds a fault, with the body of POST /_mock/faults. */
    public void fault(String rule) {
      call("POST", "/faults", rule);
    }

    /** Moves the clock. */
    public void advance(long seconds) {
      call("POST", "/clock", "{\"advanceSeconds\":" + seconds + "}");
    }

    /** Logs in without a browser, and returns the access token. */
    public String logIn(String user) {
      return field("accessToken", call("POST", "/tokens", "{\"user\":" + quoted(user) + "}"));
    }

    /** Returns the state of the servers behind the profiles, which worlds have none of: {@code mock.server.tunnel()}. */
    public String tunnel() {
      return call("GET", "/tunnel", "");
    }

    /** Fails the test unless so many requests match, and says what came nearest. */
    public void verify(String method, String path, int times) {
      verify("{\"match\":{\"method\":" + quoted(method) + ",\"path\":" + quoted(path) + "},\"times\":" + times + "}");
    }

    /** Fails the test unless the requests match this body of POST /_mock/verify, and says what came nearest. */
    public void verify(String expected) {
      HttpResponse<String> answer = send("POST", "/verify", expected);
      if (answer.statusCode() == 422) throw new AssertionError(answer.body());
      if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
    }
  }
}

// Local recoding of ARX on Adult: java -cp JAR LocalRecoding.java FILE FOLDER_OF_HIERARCHIES. Prints what side.py prints.
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.KAnonymity;

public class LocalRecoding {
    static final int K = 100;

    public static void main(String[] arguments) throws Exception {
        Data data = Data.create(arguments[0], StandardCharsets.UTF_8, ',');
        DataHandle original = data.getHandle();
        for (int column = 0; column < original.getNumColumns(); column++) {
            String name = original.getAttributeName(column);
            if (name.equals("salary-class")) {
                data.getDefinition().setAttributeType(name, AttributeType.INSENSITIVE_ATTRIBUTE);
            } else {
                File file = new File(arguments[1], "hierarchy_" + name + ".csv");
                data.getDefinition().setAttributeType(name, Hierarchy.create(file, StandardCharsets.UTF_8, ';'));
            }
        }
        ARXConfiguration configuration = ARXConfiguration.create();
        configuration.addPrivacyModel(new KAnonymity(K));
        configuration.setSuppressionLimit(0.99);

        long wall = System.nanoTime(), cpu = cpuNanoseconds();
        ARXResult result = new ARXAnonymizer().anonymize(data, configuration);
        DataHandle output = result.getOutput();
        result.optimizeIterativeFast(output, 0.01);
        cpu = cpuNanoseconds() - cpu;
        wall = System.nanoTime() - wall;
        System.out.printf("{\"cpu\": %.4f, \"wall\": %.4f, \"figures\": %s}%n", cpu / 1e9, wall / 1e9, figures(output));
    }

    static long cpuNanoseconds() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    static String figures(DataHandle output) {
        int secret = output.getColumnIndexOf("salary-class");
        Map<String, Long> sizes = new HashMap<>();
        Iterator<String[]> rows = output.iterator();
        rows.next(); // the head
        while (rows.hasNext()) {
            String[] row = rows.next();
            row[secret] = "";
            sizes.merge(Arrays.toString(row), 1L, Long::sum);
        }
        long squares = sizes.values().stream().mapToLong(size -> size * size).sum();
        long smallest = sizes.values().stream().mapToLong(size -> size).min().orElse(0);
        return String.format("{\"discernibility\": %d, \"smallest class\": %d}", squares, smallest);
    }
}
